/** `havn payroll pay --check`: finds every error for which a file would not be ordered, and orders nothing. */
import { HavnError } from '../../../sdk/index.ts'
import { CommandError, commandErrorOf } from '../command-error.ts'
import { type AccountOptions, chooseAccount } from '../consents/choose-account.ts'
import type { Connection, DeveloperContext } from '../developer-context.ts'
import type { DecodedFile } from './decode-salaries.ts'
import { identifySalaries, totalOf } from './identify-salaries.ts'
import { errorOfFile, fileError, findOrdered, type Order, orderOf } from './order-salaries.ts'
import type { SalaryFile } from './read-salaries.ts'
import type { SalaryFileError, SalaryRow } from './salary-row.ts'

export type CheckedFile = SalaryFile & { readonly file: string; readonly encoding: DecodedFile['encoding'] }
type CheckOptions = AccountOptions & { readonly dueDate: string }
type Found = {
  readonly errors: readonly SalaryFileError[]
  readonly currency: string
  readonly orderedAs: string | undefined
}

/** With it a payroll is validated like any other and rejected: the API has one purpose, SALA. */
const NO_PURPOSE = 'CHECK'
const PURPOSE_FIELD = '.purposeCode'
/** A response lists no more. */
const ERRORS_LISTED_MAX = 1_000

/** Throws with all errors, in the order of the lines. */
export async function checkSalaries(
  context: DeveloperContext,
  { file, encoding, rows, errors }: CheckedFile,
  options: CheckOptions,
): Promise<void> {
  const found = await findAtGateway(context, rows, options).catch((error: unknown) => uncheckedError(context, error))
  const isChecked = !(found instanceof CommandError)
  const all = [...errors, ...(isChecked ? found.errors : [])].toSorted(
    (one, other) => (one.line ?? 0) - (other.line ?? 0),
  )
  if (all.length > 0) {
    throw fileError(file, all, isChecked ? 'Nothing was ordered' : `Nothing was ordered. ${found.message}`)
  }
  const counted = `${rows.length} ${rows.length === 1 ? 'salary' : 'salaries'}, ${totalOf(rows)}`
  if (!isChecked) {
    const { reason, next } = found
    throw new CommandError(reason, `${file} has the right format: ${counted} in total. ${found.message}`, { next })
  }
  const { currency, orderedAs } = found
  const before = orderedAs === undefined ? '' : ` It was ordered before: payroll ${orderedAs}.`
  context.output.result(
    { file, encoding, transactions: rows.length, total: { amount: totalOf(rows), currency }, orderedAs, errors: [] },
    `${file} is right: ${counted} ${currency} in total.${before}`,
  )
}

/** What is wrong with the file is reported without a gateway, too. */
function uncheckedError(context: DeveloperContext, error: unknown): CommandError {
  const { reason, message, next } = commandErrorOf(error, context.signal.aborted)
  return new CommandError(reason, `The rules of the bank were not checked: ${message}`, { next })
}

async function findAtGateway(
  context: DeveloperContext,
  found: readonly SalaryRow[],
  options: CheckOptions,
): Promise<Found> {
  const { dueDate } = options
  const connection = await context.connect()
  const { consent, account } = await chooseAccount(context, connection, options, 'PAYROLL')
  const { rows, digest } = identifySalaries(found, dueDate)
  const order = await orderOf(connection, account, { rows, digest, dueDate })
  const ordered = rows.length === 0 ? undefined : await findOrdered(connection, order.body, rows)
  const errors: SalaryFileError[] = []
  let remaining = rows
  while (remaining.length > 0) {
    const listed = await errorsOfOrder(connection, { body: order.body, consentId: consent.id, rows: remaining })
    errors.push(...listed)
    const lines = new Set(listed.map(({ line }) => line))
    // Errors beyond those of a response are in the rows that have none yet.
    remaining = listed.length < ERRORS_LISTED_MAX ? [] : remaining.filter(({ line }) => !lines.has(line))
  }
  return { errors, currency: account.currency, orderedAs: ordered?.payrollId }
}

type Attempt = { readonly body: Order['body']; readonly consentId: string; readonly rows: readonly SalaryRow[] }

/** The errors with which the gateway rejects an order of these rows. */
async function errorsOfOrder(
  { havn, psu }: Connection,
  { body, consentId, rows }: Attempt,
): Promise<readonly SalaryFileError[]> {
  const ids = new Set(rows.map(({ endToEndId }) => endToEndId))
  const transactions = body.transactions.filter(({ metadata }) => ids.has(metadata.endToEndId))
  // The types of the client allow a valid purpose only.
  const purposeCode = NO_PURPOSE as typeof body.purposeCode
  try {
    const { payrollId } = await havn.initiatePayroll({ consentId, psu, body: { ...body, transactions, purposeCode } })
    throw new CommandError(
      'unsuccessful',
      `The gateway did not reject the check: it has payroll ${payrollId}, unsigned`,
    )
  } catch (error) {
    if (!(error instanceof HavnError) || error.validationErrors.length === 0) {
      throw error
    }
    const ofFile = error.validationErrors.filter(({ path }) => path !== PURPOSE_FIELD)
    return ofFile.map((each) => errorOfFile(each, rows))
  }
}
