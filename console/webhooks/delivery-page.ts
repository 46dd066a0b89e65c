/** Shows one delivery: its body, each attempt with the response, and the button that sends it again. */

import { html } from 'ghtml'
import type { WebhookAttempt, WebhookDelivery } from '../../contract/webhooks/webhook-deliveries.ts'
import { TEST_EVENT } from '../../contract/webhooks/webhook-events.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { getWebhookDelivery } from '../../gateway/webhooks/deliveries/list-webhook-deliveries.ts'
import { SUBSCRIPTION_ROWS } from '../../gateway/webhooks/webhook-rows.ts'
import { isPermitted } from '../access/console-role.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable, factList } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { indentedJson } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'
import { EVENTS_PATH } from './event-page.ts'
import { WEBHOOKS_PATH } from './subscriptions-page.ts'

/** The key of the delivery in the path. Throws `not-found` as for an unknown subscription. */
export async function requireVisibleDelivery(
  context: Context,
  request: ConsoleRequest,
): Promise<{ readonly partnerId: string; readonly subscriptionId: string; readonly id: string }> {
  const key = await requireVisible(context, request.viewer, SUBSCRIPTION_ROWS, request.params['subscriptionId'])
  const { deliveryId: id = '' } = request.params
  if (!isId(id)) {
    throw apiError('not-found', 'This subscription has no delivery with this id')
  }
  return { partnerId: key.partnerId, subscriptionId: key.id, id }
}

export async function deliveryPage(context: Context, request: ConsoleRequest): Promise<ConsolePage> {
  const { viewer } = request
  const key = await requireVisibleDelivery(context, request)
  const delivery = await getWebhookDelivery(context, key)
  const path = `${WEBHOOKS_PATH}/${key.subscriptionId}`
  const isWaiting = delivery.status === 'Queued' && delivery.nextAttemptAt !== null && delivery.attemptsMade > 0
  const mayRetry = isPermitted(viewer.session.roles, 'developer.act') && (isWaiting || delivery.status !== 'Queued')
  const body = html`!${factsOf(delivery, path)}
!${mayRetry ? buttonForm({ path: `${path}/deliveries/${key.id}/retry`, token: viewer.token, label: consoleText(isWaiting ? 'delivery.attemptNow' : 'delivery.retry'), isPrimary: true, isBlock: true }) : ''}
<h2>${consoleText('delivery.attempts')}</h2>
!${dataTable(delivery.attempts, ATTEMPT_COLUMNS, consoleText('delivery.noAttempts'))}
<h2>${consoleText('delivery.body')}</h2>
<pre tabindex="0">${indentedJson(delivery.body)}</pre>`
  return { kind: 'page', title: consoleText('delivery.title'), body }
}

function factsOf(
  { id, eventId, eventType, status, targetUrl, createdAt, nextAttemptAt }: WebhookDelivery,
  path: string,
) {
  return factList({
    'deliveries.status': statusMarkup(status),
    'deliveries.eventType': breakableText(eventType),
    'webhooks.targetUrl': html`<a href="${path}">!${breakableText(targetUrl)}</a>`,
    'deliveries.created': timeMarkup(Temporal.Instant.from(createdAt)),
    'deliveries.nextAttempt': nextAttemptAt && timeMarkup(Temporal.Instant.from(nextAttemptAt)),
    'delivery.id': copyableCode(id, consoleText('delivery.id')),
    'delivery.eventId': idMarkup(eventId, eventType === TEST_EVENT ? undefined : `${EVENTS_PATH}/${eventId}`),
  })
}

const ATTEMPT_COLUMNS: Columns<WebhookAttempt> = {
  'delivery.at': ({ at }) => timeMarkup(Temporal.Instant.from(at)),
  'delivery.duration': ({ durationMilliseconds }) => html`${durationMilliseconds} ms`,
  'delivery.response': ({ statusCode }) => html`${statusCode ?? ''}`,
  'delivery.answer': ({ answer }) => html`${answer ?? ''}`,
  'delivery.error': ({ error }) => html`${error ?? ''}`,
}
