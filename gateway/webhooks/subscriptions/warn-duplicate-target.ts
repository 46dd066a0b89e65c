/** Warns of a second subscription to one URL, which usually was created by mistake: every event arrives there twice. */
import type { WebhookSubscriptionWarning } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { Subscription } from '../store/subscription.ts'
import { listSubscriptions } from '../store/subscription-store.ts'

/** Empty unless another enabled subscription of the partner has this URL, in whatever notation. */
export async function warnDuplicateTarget(
  database: Queryable,
  { partnerId, id, targetUrl }: Pick<Subscription, 'partnerId' | 'id' | 'targetUrl'>,
): Promise<{ readonly warnings?: WebhookSubscriptionWarning[] }> {
  const { href } = new URL(targetUrl)
  const other = (await listSubscriptions(database, partnerId)).find(
    (each) => each.enabled && each.id !== id && new URL(each.targetUrl).href === href,
  )
  if (other === undefined) {
    return {}
  }
  const reason =
    `The enabled subscription ${other.id} delivers to this URL as well: events that both select arrive there twice, ` +
    'signed with different secrets. Disable one of them, or tell them apart by X-SVC-Webhook-Subscription'
  return { warnings: [{ code: 'DuplicateTargetUrl', reason, path: '.targetUrl', subscriptionId: other.id }] }
}
