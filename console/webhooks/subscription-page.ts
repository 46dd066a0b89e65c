/** Shows a webhook subscription with its deliveries, and what can be done with it. */
import { html } from 'ghtml'
import { WebhookDeliveryStatus } from '../../contract/webhooks/webhook-deliveries.ts'
import type { WebhookSubscription } from '../../contract/webhooks/webhook-subscriptions.ts'
import type { Context } from '../../gateway/context.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { listWebhookDeliveries } from '../../gateway/webhooks/deliveries/list-webhook-deliveries.ts'
import { getWebhookSubscription } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import { SUBSCRIPTION_ROWS } from '../../gateway/webhooks/webhook-rows.ts'
import { hasRights, rightsOfSubscription } from '../access/conferred-rights.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { anyOf, type FilterState, filterField, filterForm, NOTHING_ENTERED } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER, LIST_ROWS, nextPageLink } from '../lists/next-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { deliveryTable } from './delivery-table.ts'
import { subscriptionState, WEBHOOKS_PATH } from './subscriptions-page.ts'

/** `notice` is markup above the page: what an action has done; `entry` are the days of a replay as they were entered. */
export async function subscriptionPage(
  context: Context,
  request: ConsoleRequest,
  notice = '',
  entry = NOTHING_ENTERED,
): Promise<ConsolePage> {
  const { partnerName, ...key } = await requireVisible(
    context,
    request.viewer,
    SUBSCRIPTION_ROWS,
    request.params['subscriptionId'],
  )
  const subscription = await getWebhookSubscription(context, key, key.id)
  const path = `${WEBHOOKS_PATH}/${key.id}`
  const mayAct = hasRights(request.viewer, rightsOfSubscription(subscription)) && subscription.enabled
  const body = html`!${notice}
!${factsOf(subscription, partnerName)}
!${mayAct ? actionsOf(path, request.viewer, subscription, entry) : ''}
<h2>${consoleText('deliveries.title')}</h2>
!${await deliveriesOf(context, key, { path, query: request.query, token: mayAct ? request.viewer.token : undefined })}`
  const status = entry.errors.size === 0 ? 200 : 422
  return { kind: 'page', status, title: consoleText('subscription.title'), body }
}

function factsOf(subscription: WebhookSubscription, partnerName: string): string {
  const { targetUrl, eventTypes, hasBearerToken, createdAt, updatedAt, id } = subscription
  return factList({
    'webhooks.targetUrl': html`${targetUrl}`,
    'webhooks.types': html`${eventTypes.join(', ')}`,
    'webhooks.state': subscriptionState(subscription),
    'subscription.bearerToken': html`${hasBearerToken ? consoleText('subscription.sent') : consoleText('subscription.notSent')}`,
    'webhooks.created': timeMarkup(Temporal.Instant.from(createdAt)),
    'subscription.updated': timeMarkup(Temporal.Instant.from(updatedAt)),
    'webhooks.partner': html`${partnerName}`,
    'subscription.id': copyableCode(id, consoleText('subscription.id')),
  })
}

function actionsOf(path: string, { token }: Viewer, { paused }: WebhookSubscription, entry: FilterState): string {
  const button = (action: string, label: string) => buttonForm({ path: `${path}/${action}`, token, label })
  return html`<div class="actions">
!${buttonForm({ path: `${path}/test`, token, label: consoleText('subscription.test'), isPrimary: true })}
!${paused ? button('resume', consoleText('subscription.resume')) : button('pause', consoleText('subscription.pause'))}
!${button('rotate-secret', consoleText('subscription.rotateSecret'))}
!${button('disable', consoleText('subscription.disable'))}
</div>
!${paused ? html`<p>${consoleText('subscription.isPaused')}</p>` : replayForm(path, token, entry)}`
}

function replayForm(path: string, token: string, entry: FilterState): string {
  return html`<h2>${consoleText('subscription.replayTitle')}</h2>
<form class="filters" method="post" action="${path}/replay">!${tokenField(token)}
!${filterField({ name: 'from', label: consoleText('subscription.replaySince'), type: 'date', isRequired: true }, entry)}
!${filterField({ name: 'to', label: consoleText('subscription.replayUntil'), type: 'date', hint: consoleText('subscription.replayHint') }, entry)}
<div class="field buttons"><button class="second">${consoleText('subscription.replay')}</button></div>
</form>`
}

async function deliveriesOf(
  context: Context,
  key: { readonly partnerId: string; readonly id: string },
  {
    path,
    query,
    token,
  }: { readonly path: string; readonly query: URLSearchParams; readonly token: string | undefined },
): Promise<string> {
  const filters = filterReader(query)
  const statuses: readonly WebhookDeliveryStatus[] = WebhookDeliveryStatus.enum
  const status = filters.choice('status', statuses, consoleText('filters.noStatus'))
  const cursor = query.get(AFTER_PARAMETER) ?? undefined
  const page = await listWebhookDeliveries(context, key, {
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { cursor }),
    limit: LIST_ROWS,
  })
  const emptyText = consoleText(status === undefined ? 'deliveries.none' : 'deliveries.noMatch')
  return html`!${filterForm(path, { query, errors: filters.errors }, [{ name: 'status', label: consoleText('deliveries.status'), choices: anyOf(statuses) }])}
!${deliveryTable(page.deliveries, { path, token, emptyText })}
!${nextPageLink(path, query, page.nextCursor ?? undefined)}`
}
