/** Lists the transactions of a payroll with filters, as part of its page and as CSV. */
import { html } from 'ghtml'
import { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { Context } from '../../gateway/context.ts'
import type { PayrollKey } from '../../gateway/orders/payroll-order.ts'
import { PAYROLL_ROWS } from '../../gateway/orders/views/order-rows.ts'
import {
  listTransactions,
  type TransactionFilter,
  type TransactionRow,
} from '../../gateway/orders/views/payroll-details.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { csvFile } from '../lists/csv-file.ts'
import { type FilterState, filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { type Column, dataTable } from '../markup/data-table.ts'
import { bankTextMarkup, reasonMarkup } from '../markup/explained-codes.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { PAYROLLS_PATH } from './payroll-summary.ts'

const STATUSES: readonly PaymentStatusValue[] = PaymentStatusValue.enum
const POSITION = /^\d{1,9}$/

type ParsedFilter = { readonly filter: TransactionFilter; readonly state: FilterState }

function parseFilter({ query }: Pick<ConsoleRequest, 'query'>): ParsedFilter {
  const filters = filterReader(query)
  const filter = {
    endToEndId: filters.read('q', (text) => text, ''),
    status: filters.choice('status', STATUSES, consoleText('filters.noStatus')),
    after: filters.read(
      AFTER_PARAMETER,
      (text) => (POSITION.test(text) ? Number(text) : undefined),
      consoleText('filters.noPosition'),
    ),
  }
  return { filter, state: { query, errors: filters.errors } }
}

/** A page of the transactions, and whether the filters make sense. */
export async function transactionList(
  context: Context,
  payroll: PayrollKey,
  { query }: Pick<ConsoleRequest, 'query'>,
): Promise<{ readonly markup: string; readonly isValid: boolean }> {
  const { filter, state } = parseFilter({ query })
  const isValid = state.errors.size === 0
  const { rows, last } = pageOf(isValid ? await listTransactions(context.database, payroll, filter, LIST_ROWS + 1) : [])
  const path = `${PAYROLLS_PATH}/${payroll.payrollId}`
  const any = { value: '', label: consoleText('filters.any') }
  const form = filterForm(path, state, [
    { name: 'q', label: consoleText('payroll.endToEndId') },
    {
      name: 'status',
      label: consoleText('payments.status'),
      choices: [any, ...STATUSES.map((status) => ({ value: status, label: status }))],
    },
  ])
  const markup = html`<h2 id="transactions">${consoleText('payroll.transactions')}</h2>
!${form}
!${tableOf(rows, consoleText(isValid ? 'payroll.noMatch' : 'filters.correct'))}
!${nextPageLink(path, query, last?.position.toString())}
!${rows.length === 0 ? '' : html`<p class="actions"><a href="${path}/transactions.csv?${query}">${consoleText('lists.export')}</a></p>`}`
  return { markup, isValid }
}

function tableOf(rows: readonly TransactionRow[], emptyText: string): string {
  const columns: readonly Column[] = [
    { label: consoleText('payroll.number'), kind: 'number' },
    { label: consoleText('payroll.endToEndId') },
    { label: consoleText('payments.status'), isLead: true },
    { label: consoleText('payment.reason') },
    { label: consoleText('payroll.bankText') },
    { label: consoleText('payroll.bankStatus') },
    { label: consoleText('payroll.readAt') },
  ]
  return dataTable(
    columns,
    rows.map((row) => [
      html`${row.position + 1}`,
      html`${row.endToEndId}`,
      html`!${statusMarkup(row.status)} <span class="quiet">${remarkOf(row)}</span>`,
      reasonMarkup(row.statusReason),
      bankTextMarkup(row.statusReasonText),
      bankTextMarkup(row.bankStatus),
      row.statusAt === null ? '' : timeMarkup(row.statusAt),
    ]),
    emptyText,
  )
}

/** What the status does not show. */
function remarkOf({ outcome, statusAt }: TransactionRow): string {
  if (outcome === 'in-flight' || outcome === 'unknown') {
    return consoleText('payments.outcomeUnknown')
  }
  return outcome === null && statusAt === null ? consoleText('payroll.notSubmitted') : ''
}

/** The transactions of the filter, in the order of the request; without receivers and amounts, as in the API. */
export async function exportTransactions(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { partnerId, id: payrollId } = await requireVisible(
    context,
    request.viewer,
    PAYROLL_ROWS,
    request.params['payrollId'],
  )
  const { filter, state } = parseFilter(request)
  if (state.errors.size > 0) {
    return { kind: 'redirect', to: `${PAYROLLS_PATH}/${payrollId}?${request.query}` }
  }
  return await csvFile({
    name: `payroll-${payrollId}`,
    columns: ['number', 'endToEndId', 'status', 'statusReason', 'statusReasonText', 'bankStatus', 'timestamp'],
    after: filter.after,
    readPage: async (after, limit) => {
      const { rows, last } = pageOf(
        await listTransactions(context.database, { partnerId, payrollId }, { ...filter, after }, limit + 1),
        limit,
      )
      return { rows, next: last?.position }
    },
    cellsOf: exportedCells,
  })
}

function exportedCells(row: TransactionRow): readonly string[] {
  return [
    (row.position + 1).toString(),
    row.endToEndId,
    row.status,
    row.statusReason ?? '',
    row.statusReasonText ?? '',
    row.bankStatus ?? '',
    row.statusAt?.toString({ smallestUnit: 'millisecond' }) ?? '',
  ]
}
