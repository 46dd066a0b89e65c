/** Shows one event: what it is about, its body, and its deliveries. */
import { html } from 'ghtml'
import { type EventFamily, familyOf } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { parseJson } from '../../gateway/platform/parse-json.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import type { Viewer } from '../layout/viewer.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { factList } from '../markup/fact-list.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { indentedJson } from '../markup/indented-json.ts'
import { statusMarkup } from '../markup/status.ts'
import { type SubjectType, subjectLink } from '../markup/subject-link.ts'
import { type DeliveryOfSubject, listDeliveries } from '../payments/payment-timeline-store.ts'
import { consoleText } from '../texts/console-texts.ts'
import { type FoundEvent, findEvent } from './event-store.ts'

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
export async function eventPage(
  { database }: Context,
  { viewer, params: { eventId = '' } }: Pick<ConsoleRequest, 'viewer' | 'params'>,
): Promise<ConsolePage> {
  const event = isId(eventId) ? await findEvent(database, partnerFilterOf(viewer), eventId) : undefined
  if (event === undefined) {
    throw apiError('not-found', 'There is no event with this id')
  }
  const deliveries = await listDeliveries(database, { partnerId: event.partnerId, id: event.subjectId }, event.id)
  const body = html`!${factList([
    [consoleText('deliveries.eventType'), html`<code>${event.type}</code>`],
    [consoleText('request.subject'), subjectOf(event, viewer)],
    [consoleText('event.occurred'), timeMarkup(event.occurredAt)],
    [consoleText('filters.partner'), html`${event.partnerName}`],
    [consoleText('delivery.eventId'), copyableCode(event.id, consoleText('delivery.eventId'))],
  ])}
<h2>${consoleText('deliveries.title')}</h2>
!${tableOf(deliveries)}
<h2>${consoleText('delivery.body')}</h2>
<pre tabindex="0">${indentedJson(event.body)}</pre>`
  return { kind: 'page', title: consoleText('event.title'), body }
}

/** Nothing for account entries, whose subject is a digest of the account. */
function subjectOf({ type, subjectId: id, body, isOfPayment }: FoundEvent, viewer: Viewer): string {
  const subject = isOfPayment ? 'payment' : SUBJECTS[familyOf(type)]
  const { data } = Object(parseJson(body))
  return subject === null ? '' : subjectLink({ type: subject, id, isOfPayroll: data?.subject === 'payrolls' }, viewer)
}

function tableOf(deliveries: readonly DeliveryOfSubject[]): string {
  const columns = (['created', 'status', 'attempts', 'targetUrl'] as const).map((name) => ({
    label: consoleText(`event.${name}`),
  }))
  const rows = deliveries.map(({ id, subscriptionId, createdAt, status, attemptsMade, targetUrl }) => [
    html`<a href="/console/webhooks/${subscriptionId}/deliveries/${id}">!${timeMarkup(createdAt)}</a>`,
    statusMarkup(status),
    html`${attemptsMade}`,
    html`${targetUrl}`,
  ])
  return dataTable(columns, rows, consoleText('event.noDeliveries'))
}
