/** Shows one event: what it is about, its body, and its deliveries. */
import { html } from 'ghtml'
import { type EventFamily, familyOf } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../../gateway/context.ts'
import { PAYMENT_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { findPartnerRow } from '../../gateway/partners/partner-rows.ts'
import { parseJson } from '../../gateway/platform/parse-json.ts'
import {
  type DeliveryOfSubject,
  EVENT_ROWS,
  getShownEvent,
  listDeliveriesOfSubject,
  type ShownEvent,
} from '../../gateway/webhooks/webhook-rows.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable, factList } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { type SubjectType, subjectLink } from '../markup/subject-link.ts'
import { indentedJson } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'

export const EVENTS_PATH = '/console/webhooks/events'

const SUBJECTS: Readonly<Record<EventFamily, SubjectType | null>> = {
  PAYMENT_STATUS: 'payment',
  PAYROLL_STATUS: 'payroll',
  PAYROLL_TRANSACTION_STATUS: 'payroll',
  APPROVAL_STATUS: 'approval',
  CONSENT: 'consent',
  ONBOARDING_STATUS: 'onboarding',
  EXCHANGE: 'exchange',
  ACCOUNT_ENTRIES: null,
}

/** Throws `not-found` for an unknown id and for an event of a foreign partner, which look the same. */
export async function eventPage(context: Context, { viewer, params }: ConsoleRequest): Promise<ConsolePage> {
  const key = await requireVisible(context, viewer, EVENT_ROWS, params['eventId'])
  const event = await getShownEvent(context.database, key)
  const subject = { partnerId: key.partnerId, id: event.subjectId }
  // An event of an exchange is about its payment, or about a quote without one.
  const isOfPayment =
    (await findPartnerRow(context.database, PAYMENT_ROWS, key.partnerId, event.subjectId)) !== undefined
  const deliveries = await listDeliveriesOfSubject(context.database, subject, key.id)
  const body = html`!${factList({
    'deliveries.eventType': html`<code>${event.type}</code>`,
    'request.subject': subjectOf(event, isOfPayment, viewer),
    'event.occurred': timeMarkup(event.occurredAt),
    'filters.partner': html`${key.partnerName}`,
    'delivery.eventId': copyableCode(key.id, consoleText('delivery.eventId')),
  })}
<h2>${consoleText('deliveries.title')}</h2>
!${dataTable(deliveries, DELIVERY_COLUMNS, consoleText('event.noDeliveries'))}
<h2>${consoleText('delivery.body')}</h2>
<pre tabindex="0">${indentedJson(event.body)}</pre>`
  return { kind: 'page', title: consoleText('event.title'), body }
}

/** Nothing for account entries, whose subject is a digest of the account. */
function subjectOf({ type, subjectId: id, body }: ShownEvent, isOfPayment: boolean, viewer: Viewer): string {
  const subject = isOfPayment ? 'payment' : SUBJECTS[familyOf(type)]
  const { data } = Object(parseJson(body))
  return subject === null ? '' : subjectLink({ type: subject, id, isOfPayroll: data?.subject === 'payrolls' }, viewer)
}

const DELIVERY_COLUMNS: Columns<DeliveryOfSubject> = {
  'event.created': ({ id, subscriptionId, createdAt }) =>
    html`<a href="/console/webhooks/${subscriptionId}/deliveries/${id}">!${timeMarkup(createdAt)}</a>`,
  'event.status': ({ status }) => statusMarkup(status),
  'event.attempts': ({ attemptsMade }) => html`${attemptsMade}`,
  'event.targetUrl': ({ targetUrl }) => html`${targetUrl}`,
}
