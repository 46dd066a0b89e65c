/** Lists the transactions of a payroll with filters, as part of its page and as CSV; without receivers and amounts, as in the API. */
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
import type { CsvCells } from '../lists/csv-file.ts'
import { anyOf } from '../lists/filter-form.ts'
import { type ConsoleList, exportList } from '../lists/list-page.ts'
import { AFTER_PARAMETER, pageOf } from '../lists/next-page.ts'
import { type Columns, leadColumn, numberColumn } from '../markup/data-table.ts'
import { bankTextMarkup, reasonMarkup } from '../markup/explained-codes.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { PAYROLLS_PATH } from './payroll-summary.ts'

const STATUSES: readonly PaymentStatusValue[] = PaymentStatusValue.enum
const POSITION = /^\d{1,9}$/

/** In the order of the request. */
export function transactionList(
  { database }: Context,
  payroll: PayrollKey,
): ConsoleList<TransactionRow, TransactionFilter, number> {
  const path = `${PAYROLLS_PATH}/${payroll.payrollId}`
  return {
    path,
    title: consoleText('payroll.transactions'),
    isOfOnePartner: true,
    fields: [
      { name: 'q', label: consoleText('payroll.endToEndId') },
      { name: 'status', label: consoleText('payments.status'), choices: anyOf(STATUSES) },
    ],
    filterOf: (filters) => ({
      endToEndId: filters.read('q', (text) => text, ''),
      status: filters.choice('status', STATUSES, consoleText('filters.noStatus')),
      after: filters.read(
        AFTER_PARAMETER,
        (text) => (POSITION.test(text) ? Number(text) : undefined),
        consoleText('filters.noPosition'),
      ),
    }),
    read: async (filter, limit) => {
      const { rows, last } = pageOf(await listTransactions(database, payroll, filter, limit + 1), limit)
      return { rows, next: last?.position }
    },
    columns: COLUMNS,
    none: consoleText('payroll.noMatch'),
    file: { name: `payroll-${payroll.payrollId}`, path: `${path}/transactions`, cells: CSV_CELLS },
  }
}

const COLUMNS: Columns<TransactionRow> = {
  'payroll.number': numberColumn(({ position }) => html`${position + 1}`),
  'payroll.endToEndId': ({ endToEndId }) => html`${endToEndId}`,
  'payments.status': leadColumn(
    (row) => html`!${statusMarkup(row.status)} <span class="quiet">${remarkOf(row)}</span>`,
  ),
  'payment.reason': ({ statusReason }) => reasonMarkup(statusReason),
  'payroll.bankText': ({ statusReasonText }) => bankTextMarkup(statusReasonText),
  'payroll.bankStatus': ({ bankStatus }) => bankTextMarkup(bankStatus),
  'payroll.readAt': ({ statusAt }) => (statusAt === null ? '' : timeMarkup(statusAt)),
}

/** What the status does not show. */
function remarkOf({ outcome, statusAt }: TransactionRow): string {
  if (outcome === 'in-flight' || outcome === 'unknown') {
    return consoleText('payments.outcomeUnknown')
  }
  return outcome === null && statusAt === null ? consoleText('payroll.notSubmitted') : ''
}

export async function exportTransactions(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { partnerId, id } = await requireVisible(context, request.viewer, PAYROLL_ROWS, request.params['payrollId'])
  return await exportList(transactionList(context, { partnerId, payrollId: id }), request)
}

const CSV_CELLS: CsvCells<TransactionRow> = {
  number: ({ position }) => String(position + 1),
  endToEndId: ({ endToEndId }) => endToEndId,
  status: ({ status }) => status,
  statusReason: ({ statusReason }) => statusReason ?? '',
  statusReasonText: ({ statusReasonText }) => statusReasonText ?? '',
  bankStatus: ({ bankStatus }) => bankStatus ?? '',
  timestamp: ({ statusAt }) => statusAt?.toString({ smallestUnit: 'millisecond' }) ?? '',
}
