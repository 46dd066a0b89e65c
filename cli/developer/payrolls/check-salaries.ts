/** `havn payroll pay --check`: finds every error for which a file would not be ordered, and orders nothing. */
import { type Consent, HavnError } from '../../../sdk/index.ts'
import { CommandError, commandErrorOf } from '../command-error.ts'
import { type AccountOptions, chooseAccount } from '../consents/choose-account.ts'
import type { Connection, Context } from '../context.ts'
import { identifySalaries, totalOf } from './identify-salaries.ts'
import { errorOfFile, fileError, findOrdered, type Order, orderOf } from './order-salaries.ts'
import type { DecodedFile, SalaryFile, SalaryFileError, SalaryRow } from './read-salaries.ts'

export type CheckedFile = SalaryFile & { readonly file: string; readonly encoding: DecodedFile['encoding'] }
type CheckOptions = AccountOptions & { readonly dueDate: string }
type Found = {
  readonly errors: readonly SalaryFileError[]
  readonly currency: string
  readonly orderedAs: string | undefined
}

/** A response lists no more. */
const ERRORS_LISTED_MAX = 1_000

/** Throws with all errors, in the order of the lines. */
export async function checkSalaries(
  context: Context,
  { file, encoding, rows, errors }: CheckedFile,
  options: CheckOptions,
): Promise<void> {
  if (rows.length === 0) {
    throw fileError(file, errors, 'Nothing was ordered')
  }
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
function uncheckedError(context: Context, error: unknown): CommandError {
  const { reason, message, next } = commandErrorOf(error, context.signal.aborted)
  return new CommandError(reason, `The rules of the bank were not checked: ${message}`, { next })
}

async function findAtGateway(context: Context, found: readonly SalaryRow[], options: CheckOptions): Promise<Found> {
  const { dueDate } = options
  const connection = await context.connect()
  const { consent, account } = await chooseAccount(context, connection, options, 'PAYROLL')
  const { rows, digest } = identifySalaries(found, dueDate)
  const order = await orderOf(connection, account, { rows, digest, dueDate })
  const ordered = await findOrdered(connection, order.body, rows)
  const { body } = order
  // The number of transactions is that of the file: the last salary is checked by itself.
  const ofMost = await errorsOfRows(connection, { body, consentId: consent.id, rows: rows.slice(0, -1) })
  const ofLast = await errorsOfRows(connection, { body, consentId: consent.id, rows: rows.slice(-1) })
  const ofOrder = await obstaclesOf(connection, consent)
  const errors = [...ofOrder, ...ofMost, ...ofLast.filter(({ line }) => line !== undefined)]
  return { errors, currency: account.currency, orderedAs: ordered?.payrollId }
}

/** What rejects an order after its salaries were found right, as far as the gateway says so beforehand. */
async function obstaclesOf(
  { havn }: Connection,
  { bic, country: countryCode, organizationNumber }: Pick<Consent, 'bic' | 'country' | 'organizationNumber'>,
): Promise<readonly SalaryFileError[]> {
  const [bank, companies] = await Promise.all([havn.getBank({ params: { countryCode, bic } }), havn.listCompanies()])
  const company = companies.find((one) => one.country === countryCode && one.organizationNumber === organizationNumber)
  const messages = [
    ...(company?.services.includes('PIS') === false
      ? [`${company.name} is registered for account information only; payments need onboarding`]
      : []),
    ...(bank.status === 'Down' ? [`${bank.name} cannot be reached at present; order when it works again`] : []),
  ]
  return messages.map((message) => ({ message }))
}

type Attempt = { readonly body: Order['body']; readonly consentId: string; readonly rows: readonly SalaryRow[] }

/** All errors, also those beyond the ones of a response: they are in rows that have none yet. */
async function errorsOfRows(connection: Connection, attempt: Attempt): Promise<readonly SalaryFileError[]> {
  const errors = await errorsOfAttempt(connection, attempt)
  const lines = new Set(errors.map(({ line }) => line))
  const rows = attempt.rows.filter(({ line }) => !lines.has(line))
  if (errors.length < ERRORS_LISTED_MAX || rows.length === attempt.rows.length) {
    return errors
  }
  const others = await errorsOfRows(connection, { ...attempt, rows })
  return [...errors, ...others.filter(({ line }) => line !== undefined)]
}

/** The errors of an order of these rows and one without a receiver: it is validated like any other, and always rejected. */
async function errorsOfAttempt(
  { havn, psu }: Connection,
  { body, consentId, rows }: Attempt,
): Promise<readonly SalaryFileError[]> {
  const ids = new Set(rows.map(({ endToEndId }) => endToEndId))
  const ofRows = body.transactions.filter(({ metadata }) => ids.has(metadata.endToEndId))
  const rejected = body.transactions.slice(-1).map((transaction) => ({ ...transaction, name: '' }))
  try {
    const transactions = [...ofRows, ...rejected]
    const { payrollId } = await havn.initiatePayroll({ consentId, psu, body: { ...body, transactions } })
    throw new CommandError(
      'unsuccessful',
      `The gateway did not reject the check: it has payroll ${payrollId}, unsigned`,
    )
  } catch (error) {
    if (!(error instanceof HavnError) || error.validationErrors.length === 0) {
      throw error
    }
    // One more says that there are more.
    const listed = error.validationErrors.slice(0, ERRORS_LISTED_MAX)
    const ofFile = listed.filter(({ path }) => !path.startsWith(`.transactions[${ofRows.length}]`))
    return ofFile.map((each) => errorOfFile(each, rows))
  }
}
