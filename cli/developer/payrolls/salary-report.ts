/** Reports what became of each salary of a file. */
import { access, constants, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { csvLine } from '../../../gateway/platform/csv-line.ts'
import { CommandError } from '../command-error.ts'
import type { Connection } from '../context.ts'
import type { SalaryRow } from './read-salaries.ts'

export type OrderedPayroll = Awaited<ReturnType<Connection['havn']['getPayrollStatus']>>

type ReportedSalary = {
  /** The line of the file. */
  readonly line: number
  readonly endToEndId: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  readonly reason: string | undefined
  readonly text: string | undefined
  readonly timestamp: string
}

export type SalaryReport = {
  readonly payrollId: string
  readonly status: string
  readonly isFinal: boolean
  readonly outcomeUnknown: boolean
  /** How many salaries have each status. */
  readonly counts: Readonly<Record<string, number>>
  readonly transactions: readonly ReportedSalary[]
}

/** Only the user may read it: it has salaries. */
const OWNER_ONLY = 0o600
const COLUMNS = ['line', 'endToEndId', 'amount', 'currency', 'status', 'reason', 'text', 'timestamp'] as const

/** In the order of the payroll, which is that of the file. */
export function reportOf(rows: readonly SalaryRow[], payroll: OrderedPayroll, currency: string): SalaryReport {
  const rowsById = new Map(rows.map((row) => [row.endToEndId, row]))
  const transactions = payroll.transactions.flatMap(
    ({ endToEndId, payrollStatus, payrollStatusReason, payrollStatusReasonText, timestamp }) => {
      const row = rowsById.get(endToEndId)
      return row === undefined
        ? []
        : {
            line: row.line,
            endToEndId,
            amount: row.amount,
            currency,
            status: payrollStatus,
            reason: payrollStatusReason,
            text: payrollStatusReasonText,
            timestamp,
          }
    },
  )
  const byStatus = Map.groupBy(transactions, ({ status }) => status)
  const counts = Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length]))
  const { payrollId, currentPayrollStatus: status, finalStatus: isFinal, outcomeUnknown } = payroll
  return { payrollId, status, isFinal, outcomeUnknown, counts, transactions }
}

/** Throws when the report of a file cannot be written: once the file is ordered, nothing else says what became of it. */
export async function requireReportPlace(report: string, file: string): Promise<void> {
  if (resolve(report) === resolve(file)) {
    throw new CommandError('invalid', `The report would replace the salaries in ${file}: give another file by --report`)
  }
  const isThere = await access(report).then(
    () => true,
    () => false,
  )
  await access(isThere ? report : dirname(report), constants.W_OK).catch((error: Error) => {
    const message = `The report cannot be written to ${report}, so nothing was ordered: ${error.message}`
    throw new CommandError('invalid', message, { next: 'give another file by --report' })
  })
}

/** Writes it as CSV, in place of an earlier one. */
export async function writeReport(file: string, { transactions, payrollId }: SalaryReport): Promise<void> {
  const lines = transactions.map((transaction) =>
    csvLine([...COLUMNS.map((column) => String(transaction[column] ?? '')), payrollId]),
  )
  await writeFile(file, [csvLine([...COLUMNS, 'payrollId']), ...lines].join(''), { mode: OWNER_ONLY })
}
