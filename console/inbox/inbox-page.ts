/** Shows the webhook inbox: its URL, its subscription, and what it has received with headers and body. */

import { html } from 'ghtml'
import type { WebhookSubscription } from '../../contract/webhooks/webhook-subscriptions.ts'
import { INBOX_DELIVERIES_MAX, type InboxDelivery, openInbox, readInbox } from '../../gateway/webhooks/inbox/inbox.ts'
import { listWebhookSubscriptions } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import { hasRights, rightsOfSubscription } from '../access/conferred-rights.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { chosenPartner, partnerFields } from '../lists/partner-field.ts'
import { LIVE_SCRIPT_PATH, liveRegion } from '../live/live-region.ts'
import { buttonForm } from '../markup/action-form.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { doneMarkup } from '../markup/notice.ts'
import { indentedJson } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'
import { WEBHOOKS_PATH } from '../webhooks/subscriptions-page.ts'

export const INBOX_PATH = '/console/inbox'

/** A page shows the newest ones. */
const SHOWN_MAX = 20

/** `notice` is markup above the page: what an action has done. */
export async function inboxPage(context: ConsoleContext, request: ConsoleRequest, notice = ''): Promise<ConsolePage> {
  const { viewer, query } = request
  const filters = filterReader(query)
  const partnerId = chosenPartner(filters, viewer)
  const fields = await partnerFields(context, viewer)
  const received = await receivedMarkup(context, partnerId)
  const body = html`!${notice === '' ? '' : doneMarkup(notice)}
<p>${consoleText('inbox.explain', { max: INBOX_DELIVERIES_MAX })}</p>
!${fields.length === 0 ? '' : filterForm(INBOX_PATH, { query, errors: filters.errors }, fields)}
!${partnerId === null ? html`<p>${consoleText('inbox.choosePartner')}</p>` : await endpointOf(context, viewer, partnerId)}
<h2>${consoleText('inbox.received')}</h2>
!${partnerId === null ? received : liveRegion(`${INBOX_PATH}/${partnerId}/live`, received)}`
  return {
    kind: 'page',
    status: filters.errors.size === 0 ? 200 : 422,
    title: consoleText('inbox.title'),
    body,
    scripts: [LIVE_SCRIPT_PATH],
  }
}

/** The enabled subscription of the inbox; undefined without one. */
export async function findInboxSubscription(
  context: ConsoleContext,
  partnerId: string,
  targetUrl: string,
): Promise<WebhookSubscription | undefined> {
  const subscriptions = await listWebhookSubscriptions(context, { partnerId })
  return subscriptions.find((one) => one.enabled && one.targetUrl === targetUrl)
}

/** What was received, which is rendered again whenever something arrives. */
export async function receivedMarkup(context: ConsoleContext, partnerId: string | null): Promise<string> {
  const received = await readInbox(context, partnerId, SHOWN_MAX)
  return received.length === 0
    ? html`<p class="empty">${consoleText('inbox.nothing')}</p>`
    : received.map(deliveryMarkup).join('\n')
}

async function endpointOf(context: ConsoleContext, viewer: Viewer, partnerId: string): Promise<string> {
  if (context.config.sandboxInboxUrl === null) {
    return html`<p class="empty">${consoleText('inbox.none')}</p>`
  }
  const url = await openInbox(context, partnerId)
  const subscription = await findInboxSubscription(context, partnerId, url)
  const facts = factList({
    'webhooks.targetUrl': copyableCode(url, consoleText('webhooks.targetUrl')),
    'inbox.subscription':
      subscription === undefined
        ? html`${consoleText('inbox.noSubscription')}`
        : html`<a href="${WEBHOOKS_PATH}/${subscription.id}">${consoleText('inbox.subscribed')}</a>`,
  })
  // A new subscription selects payments only.
  if (!hasRights(viewer, rightsOfSubscription(subscription ?? { eventTypes: [] }))) {
    return facts
  }
  const action = subscription === undefined ? 'subscribe' : 'test'
  return html`!${facts}
!${buttonForm({ path: `${INBOX_PATH}/${action}`, token: viewer.token, label: consoleText(`inbox.${action}`), fields: { partner: partnerId }, isPrimary: true, isBlock: true })}`
}

function deliveryMarkup({ id, receivedAt, eventType, headers, body, signatureStatus, partnerName }: Received): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const status = consoleText(`inbox.signatures.${signatureStatus}`)
  return html`<section class="delivery" id="delivery-${id}" aria-label="${eventType ?? consoleText('inbox.noEvent')}">
<h3>!${breakableText(eventType ?? consoleText('inbox.noEvent'))}</h3>
<p>!${timeMarkup(receivedAt)} · ${partnerName} · <span class="status ${signatureStatus === 'valid' ? 'done' : 'failed'}">${status}</span></p>
<h4>${consoleText('inbox.headers')}</h4>
<pre tabindex="0">${lines.join('\n')}</pre>
<h4>${consoleText('inbox.body')}</h4>
<pre tabindex="0">${indentedJson(body)}</pre>
</section>`
}

type Received = InboxDelivery & { readonly partnerName: string }
