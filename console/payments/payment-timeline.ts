/** Builds the story of a payment: what happened to it, from several sources. */
import { html } from 'ghtml'
import { findMaskedUsers } from '../../gateway/consents/consent-rows.ts'
import type { Context } from '../../gateway/context.ts'
import { listDealIdsOfPayment } from '../../gateway/fx/deals/deal-rows.ts'
import { type DealDetails, getDealDetails } from '../../gateway/fx/deals/get-deal.ts'
import { listTasksOfSubject } from '../../gateway/operators/tasks-of-subject.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import { type ExpiredOrder, listExpiredOrders, listStatusChanges } from '../../gateway/orders/views/payment-history.ts'
import { findRequestThatCreated } from '../../gateway/request-log/find-requests.ts'
import { type DeliveryOfSubject, listDeliveriesOfSubject } from '../../gateway/webhooks/webhook-rows.ts'
import { dealEntries } from '../deals/deal-page.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { formatMilliseconds } from '../markup/format-time.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { EXCHANGES_PATH, partnerDealEntries } from '../records/exchange-page.ts'
import { statusEntry, taskEntry } from '../records/order-entries.ts'
import { consoleText } from '../texts/console-texts.ts'
import { EVENTS_PATH } from '../webhooks/event-page.ts'
import { approvalEntries, cancellationEntries } from './authorisation-timeline.ts'
import { bankCallEntries } from './bank-call-timeline.ts'

/** What else the user may see: what only operators see, and the pages of deliveries and requests. */
export type TimelineAccess = { readonly operations: boolean; readonly deliveries: boolean }

type Source = (context: Context, payment: PartnerPayment, access: TimelineAccess) => Promise<readonly TimelineEntry[]>

/** What happened at one moment is shown in this order. */
const SOURCES: readonly Source[] = [
  requestEntries,
  orderEntries,
  bankCallEntries,
  statusEntries,
  approvalEntries,
  cancellationEntries,
  exchangeEntries,
  async ({ database }, payment, access) =>
    (await listDeliveriesOfSubject(database, payment)).map((delivery) => deliveryEntry(delivery, access)),
  async ({ database }, payment, { operations }) =>
    operations ? (await listTasksOfSubject(database, payment)).map(taskEntry) : [],
]

/** Everything that happened to a payment. */
export async function readTimeline(
  context: Context,
  payment: PartnerPayment,
  access: TimelineAccess,
): Promise<readonly TimelineEntry[]> {
  return (await Promise.all(SOURCES.map((source) => source(context, payment, access)))).flat()
}

/** Only an order that passed every validation is stored. */
async function orderEntries({ database }: Context, payment: PartnerPayment): Promise<readonly TimelineEntry[]> {
  const { partnerId, consentId, createdAt } = payment
  const user = (await findMaskedUsers(database, partnerId, [consentId])).get(consentId) ?? consentId
  return [
    {
      at: createdAt,
      title: consoleText('timeline.ordered'),
      details: [
        html`<a href="/console/consents/${consentId}">${consoleText('timeline.underConsent', { user })}</a>`,
        html`${consoleText('timeline.valid')}`,
      ],
    },
  ]
}

async function statusEntries({ database }: Context, payment: PartnerPayment): Promise<readonly TimelineEntry[]> {
  const [changes, expired] = await Promise.all([
    listStatusChanges(database, payment),
    listExpiredOrders(database, payment),
  ])
  const { settledBy } = payment
  const settled = changes.findLast(({ status }) => status === 'Completed')
  return [
    ...changes.map((change) =>
      statusEntry(change, change === settled && settledBy !== null ? [html`${entryText(settledBy)}`] : []),
    ),
    ...expired.map(expiredEntry),
  ]
}

/** The key of an entry is the bank's id, or else its content. */
function entryText(settledBy: string): string {
  return settledBy.startsWith('id ')
    ? consoleText('timeline.entryId', { id: settledBy.slice('id '.length) })
    : consoleText('timeline.entry', { content: settledBy.replace(/^as /, '') })
}

function expiredEntry({ expiredAt, bankPaymentId }: ExpiredOrder): TimelineEntry {
  return {
    at: expiredAt,
    title: consoleText('timeline.expired'),
    details: [html`${consoleText('timeline.expiredId', { id: bankPaymentId })}`],
  }
}

function deliveryEntry(delivery: DeliveryOfSubject, { deliveries }: TimelineAccess): TimelineEntry {
  const { id, eventId, subscriptionId, createdAt, eventType, status, attemptsMade, targetUrl } = delivery
  const text = consoleText('timeline.delivery', { eventType })
  const path = `/console/webhooks/${subscriptionId}/deliveries/${id}`
  return {
    at: createdAt,
    title: html`!${deliveries ? html`<a href="${path}">${text}</a>` : html`${text}`} <strong>${status}</strong>`,
    details: [
      html`${targetUrl}`,
      html`${consoleText('timeline.attempts', { count: attemptsMade })}!${deliveries ? html` · <a href="${EVENTS_PATH}/${eventId}">${consoleText('timeline.event')}</a>` : ''}`,
    ],
  }
}

/** Empty when the request is not in the log any more; linked for developers, who may open it. */
async function requestEntries(
  context: Context,
  payment: PartnerPayment,
  { deliveries: isDeveloper }: { readonly deliveries: boolean },
): Promise<readonly TimelineEntry[]> {
  const request = await findRequestThatCreated(context, payment)
  if (request === undefined) {
    return []
  }
  const text = consoleText('timeline.request', { duration: formatMilliseconds(request.milliseconds) })
  const title = isDeveloper ? html`<a href="/console/requests/${request.id}">${text}</a>` : html`${text}`
  return [{ at: payment.createdAt, title, details: [] }]
}

/** Empty for a payment without exchange, which most are. */
async function exchangeEntries(
  context: Context,
  payment: PartnerPayment,
  { operations }: { readonly operations: boolean },
): Promise<readonly TimelineEntry[]> {
  if (payment.exchange === null) {
    return []
  }
  const ids = await listDealIdsOfPayment(context.database, payment)
  const deals = await Promise.all(ids.map((id) => getDealDetails(context, id)))
  return deals.flatMap((details) => [
    ...(operations ? dealEntries(details) : partnerDealEntries(details)).map((entry) => ofExchange(details, entry)),
    ...(operations ? ledgerEntries(details) : []),
  ])
}

function ofExchange({ deal }: DealDetails, { title, ...entry }: TimelineEntry): TimelineEntry {
  return {
    ...entry,
    title: html`<a href="${EXCHANGES_PATH}/${deal.id}">${consoleText('timeline.exchange')}</a> !${title}`,
  }
}

/** One for each posting, with its lines. */
function ledgerEntries({ lines }: DealDetails): readonly TimelineEntry[] {
  const postings = Map.groupBy(lines, ({ event }) => event)
  return [...postings].flatMap(([event, posted]) => {
    const [first] = posted
    return first === undefined
      ? []
      : [
          {
            at: first.at,
            title: html`${consoleText('timeline.ledger')} <strong>${event}</strong>`,
            details: posted.map((line) => html`${line.account} ${formatMoneyForReaders(line)}`),
          },
        ]
  })
}
