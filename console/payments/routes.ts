/** Lists payments with filters, as pages and as CSV, and shows each. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { readPaymentVersions } from '../../gateway/orders/views/order-versions.ts'
import {
  type ListedPayment,
  type PaymentPage,
  SCANNED_MAX,
  searchPayments,
} from '../../gateway/orders/views/payment-search.ts'
import type { ListPosition } from '../../gateway/platform/database/partner-rows.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { csvFile } from '../lists/csv-file.ts'
import { type FilterField, type FilterState, filterForm, hasFilter } from '../lists/filter-form.ts'
import { formatPosition, LIST_ROWS, nextPageLink } from '../lists/next-page.ts'
import { partnerFields } from '../lists/partner-field.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { type Column, clampedText, dataTable } from '../markup/data-table.ts'
import { formatCount } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import type { ActionOutcome } from '../markup/notice.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { bankCallsPage } from './bank-calls-page.ts'
import { cancelPaymentInPath } from './cancel-payment.ts'
import { orderedAmount } from './ordered-amount.ts'
import { PAYMENT_STATUSES } from './payment-filter.ts'
import { livePayment, paymentPage } from './payment-page.ts'
import { readPaymentFilter } from './read-payment-filter.ts'
import { resendEvents } from './resend-events.ts'
import { simulatePayment } from './simulate-payment.ts'

const PATH = '/console/payments'
const EXPORTED_COLUMNS = [
  ...['created', 'paymentId', 'endToEndId', 'creditor', 'amount', 'currency', 'dueDate', 'status'],
  ...['organizationNumber', 'partner'],
]

export function paymentRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const reader: VersionReader = (subjects) => readPaymentVersions(context.database, subjects)
  return [
    { method: 'GET', path: PATH, permission: 'payments.read', handle: (request) => listPage(context, request) },
    {
      method: 'GET',
      path: `${PATH}.csv`,
      permission: 'payments.read',
      handle: (request) => exportCsv(context, request),
    },
    {
      method: 'GET',
      path: `${PATH}/:paymentId`,
      permission: 'payments.read',
      handle: ({ viewer, params: { paymentId = '' } }) => paymentPage(context, viewer, paymentId),
    },
    {
      method: 'GET',
      path: `${PATH}/:paymentId/live`,
      permission: 'payments.read',
      isLive: true,
      handle: ({ viewer, params: { paymentId: id = '' } }) => livePayment(context, { reader, viewer, id }),
    },
    {
      method: 'GET',
      path: `${PATH}/:paymentId/calls`,
      permission: 'payments.read',
      handle: (request) => bankCallsPage(context, request),
    },
    {
      method: 'POST',
      path: `${PATH}/:paymentId/cancel`,
      permission: 'payments.act',
      handle: (request) => cancelPaymentInPath(context, request, (outcome) => pageAfter(context, request, outcome)),
    },
    {
      method: 'POST',
      path: `${PATH}/:paymentId/resend-events`,
      permission: 'payments.act',
      handle: async (request) => await pageAfter(context, request, await resendEvents(context, request)),
    },
    ...simulationRoutes(context),
  ]
}

async function pageAfter(
  context: Context,
  { viewer, params: { paymentId = '' } }: ConsoleRequest,
  outcome: ActionOutcome,
): Promise<ConsoleAnswer> {
  return await paymentPage(context, viewer, paymentId, outcome)
}

function simulationRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const path = `${PATH}/:paymentId/simulate`
  return context.config.mode === 'sandbox'
    ? [{ method: 'POST', path, permission: 'sandbox', handle: (request) => simulatePayment(context, request) }]
    : []
}

async function listPage(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, query } = request
  const { partnerId, filter, state } = await readPaymentFilter(context, request)
  const isValid = state.errors.size === 0
  const { rows, next } = isValid ? await searchPayments(context.database, partnerId, filter, LIST_ROWS) : NO_PAGE
  const partners = await partnerFields(context, viewer)
  const body = html`!${filtersOf(state, partners)}
!${tableOf(rows, { isOperator: viewer.session.partnerId === null, emptyText: emptyTextOf(query, isValid) })}
!${next === undefined || next.isFull ? '' : scanEndOf(next.after)}
!${nextPageLink(PATH, query, next && formatPosition(next.after), next?.isFull === false ? consoleText('payments.searchOn') : undefined)}
!${rows.length === 0 ? '' : html`<p class="actions"><a href="${PATH}.csv?${query}">${consoleText('lists.export')}</a></p>`}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText('payments.title'), body }
}

const NO_PAGE: PaymentPage = { rows: [], next: undefined }

function scanEndOf({ createdAt }: ListPosition): string {
  return html`<p>!${consoleText('payments.searchedTo')} !${timeMarkup(createdAt)}</p>`
}

function filtersOf(state: FilterState, partners: readonly FilterField[]): string {
  const any = { value: '', label: consoleText('filters.any') }
  const statuses = PAYMENT_STATUSES.map((status) => ({ value: status, label: status }))
  return filterForm(PATH, state, [
    ...partners,
    { name: 'q', label: consoleText('payments.search'), hint: consoleText('payments.searchHint') },
    { name: 'status', label: consoleText('payments.status'), choices: [any, ...statuses] },
    {
      name: 'signed',
      label: consoleText('payments.signed'),
      choices: [
        any,
        { value: 'yes', label: consoleText('filters.yes') },
        { value: 'no', label: consoleText('filters.no') },
      ],
    },
    { name: 'company', label: consoleText('payments.company') },
    { name: 'name', label: consoleText('payments.creditorName') },
    {
      name: 'account',
      label: consoleText('payments.accountEnding'),
      hint: consoleText('payments.accountHint', { count: formatCount(SCANNED_MAX) }),
    },
    { name: 'amount', label: consoleText('payments.amountRange'), hint: consoleText('payments.amountHint') },
    { name: 'currency', label: consoleText('payments.currency') },
    { name: 'from', label: consoleText('filters.from'), type: 'date' },
    { name: 'to', label: consoleText('filters.to'), type: 'date' },
  ])
}

function emptyTextOf(query: URLSearchParams, isValid: boolean): string {
  if (!isValid) {
    return consoleText('filters.correct')
  }
  return consoleText(hasFilter(query) ? 'payments.noMatch' : 'payments.none')
}

function tableOf(
  rows: readonly ListedPayment[],
  { isOperator, emptyText }: { readonly isOperator: boolean; readonly emptyText: string },
): string {
  const columns: readonly Column[] = [
    { label: consoleText('payments.created') },
    { label: consoleText('payments.endToEndId') },
    { label: consoleText('payments.creditor') },
    { label: consoleText('payments.amount'), kind: 'number', isLead: true },
    { label: consoleText('payments.dueDate') },
    { label: consoleText('payments.status'), isLead: true },
    { label: consoleText(isOperator ? 'payments.companyOfPartner' : 'payments.company') },
  ]
  return dataTable(
    columns,
    rows.map((row) => [
      timeMarkup(row.createdAt),
      html`<span class="token" title="${row.endToEndId}"><a href="${PATH}/${row.id}">${row.endToEndId}</a></span>`,
      clampedText(row.creditorName ?? ''),
      html`${orderedAmount(row)}`,
      html`${formatDay(Temporal.PlainDate.from(row.dueDate))}`,
      `${statusMarkup(row.status)}${row.isOutcomeUnknown ? html` <span class="quiet">${consoleText('payments.outcomeUnknown')}</span>` : ''}`,
      html`${row.organisationNumber}!${isOperator ? html`<br><span class="quiet">${row.partnerName}</span>` : ''}`,
    ]),
    emptyText,
  )
}

/** The payments of the filter, at most ten thousand, with amounts and times as in the API. */
async function exportCsv(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { partnerId, filter, state } = await readPaymentFilter(context, request)
  if (state.errors.size > 0) {
    return { kind: 'redirect', to: `${PATH}?${request.query}` }
  }
  return await csvFile({
    name: 'payments',
    columns: EXPORTED_COLUMNS,
    after: filter.after,
    readPage: async (after, limit) => {
      const { rows, next } = await searchPayments(context.database, partnerId, { ...filter, after }, limit)
      return { rows, next: next?.after }
    },
    cellsOf: exportedCells,
  })
}

function exportedCells(row: ListedPayment): readonly string[] {
  return [
    row.createdAt.toString({ smallestUnit: 'millisecond' }),
    row.id,
    row.endToEndId,
    row.creditorName ?? '',
    row.amount,
    row.currency,
    row.dueDate,
    row.status,
    row.organisationNumber,
    row.partnerName,
  ]
}
