/** Lists a partner's events after a position, independent of subscriptions. */
import type { QueryOf, ResponseOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import { WEBHOOK_PAGE } from '../../../contract/webhooks/webhook-deliveries.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import type { Context } from '../../context.ts'
import { readEvents } from './read-events.ts'

type ListEvents = typeof operations.listWebhookEvents

/** A page, oldest first. Positions become visible in order, so that only deleted events can be missed. */
export async function listWebhookEvents(
  context: Pick<Context, 'database'>,
  { partnerId }: Pick<PartnerCaller, 'partnerId'>,
  { after, limit = WEBHOOK_PAGE.default }: QueryOf<ListEvents>,
): Promise<ResponseOf<ListEvents>> {
  const from = BigInt(after ?? '0')
  const { events, deletedUpTo } = await readEvents(context, partnerId, { after: from, limit })
  return {
    // Bodies were written by the contract that this response has.
    events: events.map(({ body }) => JSON.parse(body)),
    nextAfter: String(events.at(-1)?.position ?? (from > deletedUpTo ? from : deletedUpTo)),
    // A reader that starts from the beginning has missed nothing.
    missed: after !== undefined && from < deletedUpTo,
  }
}
