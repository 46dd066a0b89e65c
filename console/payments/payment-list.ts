/** Lists payments with filters, as pages and as CSV. */
import { html } from 'ghtml'
import { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { Context } from '../../gateway/context.ts'
import {
  type ListedPayment,
  type PaymentFilter,
  SCANNED_MAX,
  searchPayments,
} from '../../gateway/orders/views/payment-search.ts'
import type { ListPosition } from '../../gateway/partners/partner-rows.ts'
import { plainCode } from '../../gateway/platform/copied-text.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { currencyScale } from '../../gateway/platform/money.ts'
import { findPaymentOfRequest } from '../../gateway/request-log/find-requests.ts'
import type { Viewer } from '../access/viewer.ts'
import type { CsvCells } from '../lists/csv-file.ts'
import { anyOf, type FilterField, periodFields } from '../lists/filter-form.ts'
import type { FilterReader } from '../lists/filter-reader.ts'
import type { ConsoleList } from '../lists/list-page.ts'
import { chosenPartner } from '../lists/partner-field.ts'
import { type Columns, clampedText, leadColumn } from '../markup/data-table.ts'
import { formatCount, orderedAmount } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { parseAccountEnding, parseAmountRange, parseNamePart } from './search-terms.ts'

export const PAYMENTS_PATH = '/console/payments'

const STATUSES: readonly PaymentStatusValue[] = PaymentStatusValue.enum
const SIGNED: Readonly<Record<string, boolean | undefined>> = { yes: true, no: false }

type ListFilter = PaymentFilter & { readonly partnerId: string | null }

export function paymentList(context: Context): ConsoleList<ListedPayment, ListFilter, ListPosition> {
  return {
    path: PAYMENTS_PATH,
    title: consoleText('payments.title'),
    fields: fields(),
    filterOf: async (filters, viewer) => await withPaymentOfRequest(context, paymentFilterOf(filters, viewer)),
    read: async ({ partnerId, ...filter }, limit) => {
      const { rows, next } = await searchPayments(context.database, partnerId, filter, limit)
      if (next === undefined || next.isFull) {
        return { rows, next: next?.after }
      }
      const { after } = next
      const note = html`<p>!${consoleText('payments.searchedTo')} !${timeMarkup(after.createdAt)}</p>`
      return { rows, next: after, note, nextLabel: consoleText('payments.searchOn') }
    },
    columns: COLUMNS,
    none: consoleText('payments.none'),
    noMatch: consoleText('payments.noMatch'),
    file: { name: 'payments', cells: CSV_CELLS },
  }
}

export function paymentFilterOf(filters: FilterReader, viewer: Viewer): ListFilter {
  const { createdFrom, createdBefore } = filters.period()
  return {
    partnerId: chosenPartner(filters, viewer),
    search: filters.read('q', (text) => (isId(text) ? { id: text.toLowerCase() } : { endToEndId: text }), ''),
    status: filters.choice('status', STATUSES, consoleText('filters.noStatus')),
    signed: filters.read('signed', (text) => SIGNED[text], consoleText('filters.noChoice')),
    organisationNumber: filters.organisationNumber('company'),
    currency: filters.read(
      'currency',
      (text) => [plainCode(text)].find((code) => currencyScale(code) !== undefined),
      consoleText('payments.noCurrency'),
    ),
    accountEnding: filters.read('account', parseAccountEnding, consoleText('payments.noAccountEnding')),
    amount: filters.read('amount', parseAmountRange, consoleText('payments.noAmount')),
    creditorName: filters.read('name', parseNamePart, consoleText('payments.noName')),
    createdFrom,
    createdBefore,
    after: filters.position(),
  }
}

/** A payment is found by the `svc-request-id` of the request that created it, or was about it, too. */
async function withPaymentOfRequest(context: Context, filter: ListFilter): Promise<ListFilter> {
  const { search, partnerId } = filter
  const id =
    search !== undefined && 'id' in search ? await findPaymentOfRequest(context, partnerId, search.id) : undefined
  return id === undefined ? filter : { ...filter, search: { id } }
}

function fields(): readonly FilterField[] {
  const signed = [
    ...anyOf([]),
    { value: 'yes', label: consoleText('filters.yes') },
    { value: 'no', label: consoleText('filters.no') },
  ]
  const accountHint = consoleText('payments.accountHint', { count: formatCount(SCANNED_MAX) })
  return [
    { name: 'q', label: consoleText('payments.search'), hint: consoleText('payments.searchHint') },
    { name: 'status', label: consoleText('payments.status'), choices: anyOf(STATUSES) },
    { name: 'signed', label: consoleText('payments.signed'), choices: signed },
    { name: 'company', label: consoleText('payments.company') },
    { name: 'name', label: consoleText('payments.creditorName') },
    { name: 'account', label: consoleText('payments.accountEnding'), hint: accountHint },
    { name: 'amount', label: consoleText('payments.amountRange'), hint: consoleText('payments.amountHint') },
    { name: 'currency', label: consoleText('payments.currency') },
    ...periodFields(),
  ]
}

const organisation = (row: ListedPayment) => html`${row.organisationNumber}`
const COLUMNS: Columns<ListedPayment> = {
  'payments.created': ({ createdAt }) => timeMarkup(createdAt),
  'payments.endToEndId': ({ id, endToEndId }) =>
    html`<span class="token" title="${endToEndId}"><a href="${PAYMENTS_PATH}/${id}">${endToEndId}</a></span>`,
  'payments.creditor': ({ creditorName }) => clampedText(creditorName ?? ''),
  'payments.amount': { kind: 'number', isLead: true, cell: (row) => html`${orderedAmount(row)}` },
  'payments.dueDate': ({ dueDate }) => html`${formatDay(Temporal.PlainDate.from(dueDate))}`,
  'payments.status': leadColumn(
    ({ status, isOutcomeUnknown }) =>
      `${statusMarkup(status)}${isOutcomeUnknown ? html` <span class="quiet">${consoleText('payments.outcomeUnknown')}</span>` : ''}`,
  ),
  'payments.company': { isOf: 'partners', cell: organisation },
  'payments.companyOfPartner': {
    isOf: 'operators',
    cell: (row) => html`!${organisation(row)}<br><span class="quiet">${row.partnerName}</span>`,
  },
}

/** With amounts and times as in the API. */
const CSV_CELLS: CsvCells<ListedPayment> = {
  created: ({ createdAt }) => createdAt.toString({ smallestUnit: 'millisecond' }),
  paymentId: ({ id }) => id,
  endToEndId: ({ endToEndId }) => endToEndId,
  creditor: ({ creditorName }) => creditorName ?? '',
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  dueDate: ({ dueDate }) => dueDate,
  status: ({ status }) => status,
  organizationNumber: ({ organisationNumber }) => organisationNumber,
  partner: ({ partnerName }) => partnerName,
}
