/** Orders the salaries of a file as one payroll, once, and reports errors with the lines of the file. */
import { basename } from 'node:path'
import { HavnError } from '../../../sdk/index.ts'
import { CommandError } from '../command-error.ts'
import type { Connection, Context } from '../context.ts'
import { progressBar } from '../output/output.ts'
import { digestOf, type IdentifiedSalaries, minorUnits, totalOf } from './identify-salaries.ts'
import type { SalaryFileError, SalaryRow } from './read-salaries.ts'

type PayrollBody = Parameters<Connection['havn']['initiatePayroll']>[0]['body']
/** The same salaries, account and due date are the same payroll. */
export type Order = { readonly body: PayrollBody; readonly idempotencyKey: string }

/** Of the lines of a file. */
export const LINES_PRINTED_MAX = 50

/** The payroll of the rows, in their order. */
export async function orderOf(
  { havn }: Connection,
  {
    bban,
    currency,
    organizationNumber,
    ownerName,
  }: { bban: string; currency: string; organizationNumber: string; ownerName?: string },
  { rows, digest, dueDate }: IdentifiedSalaries & { readonly dueDate: string },
): Promise<Order> {
  const company = (await havn.listCompanies()).find((each) => each.organizationNumber === organizationNumber)
  const transactions = rows.map(({ endToEndId, name, account, amount, remittance }) => ({
    metadata: { endToEndId },
    name,
    account: { bban: account },
    amount: { amount, currency },
    remittanceInformation: remittance,
  }))
  const from = { account: { bban }, name: company?.name ?? ownerName ?? organizationNumber, organizationNumber }
  return {
    idempotencyKey: digestOf([digest, bban, dueDate]),
    body: { from, transactions, dueDate, purposeCode: 'SALA' },
  }
}

type Ordering = {
  readonly order: Order
  readonly rows: readonly SalaryRow[]
  readonly file: string
  readonly consentId: string
}

/** Orders the payroll, or finds it when this file was ordered before: no salary is paid twice. */
export async function orderOnce(
  context: Context,
  connection: Connection,
  ordering: Ordering,
): Promise<{ readonly payrollId: string }> {
  const { havn, psu } = connection
  const { order, rows, file, consentId } = ordering
  const found = await findOrdered(connection, order.body, rows)
  if (found !== undefined) {
    context.output.note(`${file} was ordered before: payroll ${found.payrollId}`)
    return found
  }
  context.output.progress(progressBar(0, rows.length, 'ordered'))
  try {
    const ordered = await havn.initiatePayroll({ consentId, psu, ...order })
    for (const { code, reason, path } of ordered.warnings ?? []) {
      context.output.note(`Warning ${code} ${path ?? ''} ${reason ?? ''}`.trimEnd())
    }
    return ordered
  } catch (error) {
    throw error instanceof HavnError && error.validationErrors.length > 0
      ? fileError(
          file,
          error.validationErrors.map((each) => errorOfFile(each, rows)),
          'The gateway ordered none of it',
        )
      : error
  }
}

/** The payroll with the first salary of the file, if its account, due date, number of salaries and total are those of the file. */
export async function findOrdered({ havn }: Connection, { from, dueDate }: PayrollBody, rows: readonly SalaryRow[]) {
  const endToEndId = rows[0]?.endToEndId ?? ''
  const total = minorUnits(totalOf(rows))
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof havn.listPayrolls>> = await havn.listPayrolls({
      query: { endToEndId, ...(cursor === null ? {} : { cursor }) },
    })
    const found = page.payrolls.find(
      (payroll) =>
        payroll.dueDate === dueDate &&
        payroll.transactionCount === rows.length &&
        minorUnits(payroll.totalAmount.amount) === total &&
        payroll.from.account.bban === from.account.bban,
    )
    if (found !== undefined) {
      return found
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  return undefined
}

/** The column or option of a field of the request, by how its path begins. */
const COLUMN_BY_FIELD = {
  '.name': 'name',
  '.account': 'account',
  '.amount': 'amount',
  '.metadata.endToEndId': 'endToEndId',
  '.dueDate': '--due-date',
  '.from.account': '--account',
} as const

/** An error of the gateway names the transaction by its index; here it gets the line and column of the file. */
export function errorOfFile(
  { path, reason, code }: HavnError['validationErrors'][number],
  rows: readonly SalaryRow[],
): SalaryFileError {
  const [, index, field = path] = /^\.transactions\[(\d+)\](.*)$/.exec(path) ?? []
  const row = index === undefined ? undefined : rows[Number(index)]
  const known = Object.entries(COLUMN_BY_FIELD).find(([start]) => field.startsWith(start))?.[1]
  const column = row !== undefined && field.startsWith('.remittanceInformation') ? remittanceColumn(row) : known
  const where = column === undefined && field !== '' && field !== '.' ? `${field.slice(1)} ` : ''
  return {
    ...(row === undefined ? {} : { line: row.line }),
    ...(column === undefined ? {} : { column }),
    message: `${where}${withoutFieldName(reason, path)} (${code})`,
  }
}

/** The column is its name in the file. */
function withoutFieldName(reason: string, path: string): string {
  const name = `${path.split('.').at(-1)} `
  return name !== ' ' && reason.startsWith(name) ? reason.slice(name.length) : reason
}

function remittanceColumn({ remittance, hasDefaultMessage }: SalaryRow): string {
  return hasDefaultMessage ? '--message' : remittance.type === 'ocr' ? 'reference' : 'message'
}

/** The error of a file with errors in its lines; `outcome` says what was sent. */
export function fileError(file: string, errors: readonly SalaryFileError[], outcome: string): CommandError {
  const lines = errors.slice(0, LINES_PRINTED_MAX).map(({ line, column, message }) => {
    const place = line === undefined ? basename(file) : `${basename(file)}:${line}`
    return `${place}: ${column === undefined ? '' : `${column} `}${message}`
  })
  const more = errors.length > LINES_PRINTED_MAX ? [`and ${errors.length - LINES_PRINTED_MAX} more`] : []
  const message = `${errors.length} error${errors.length === 1 ? '' : 's'} in ${file}. ${outcome}.\n${[...lines, ...more].join('\n')}`
  return new CommandError('invalid', message, { details: { file, errors } })
}
