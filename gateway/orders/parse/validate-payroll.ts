/** Validates a payroll and collects all errors, yielding to the event loop so that other requests are served meanwhile. */
import { Type } from 'typebox'
import { PayrollRequest, PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import { requireBank } from '../../banks/directory/bank-directory.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { isAccountOnConsent } from '../../consents/require-consent.ts'
import type { Context } from '../../context.ts'
import type { DebtorAccountNumber } from '../../countries/account-number.ts'
import { parseDay } from '../../platform/clock.ts'
import { mapYieldingToEventLoop } from '../../platform/concurrency.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import type { Parsing } from '../../platform/http/operations/served-operation.ts'
import {
  compileBodyCheck,
  isSound,
  replaceMistypedFields,
  sortInBodyOrder,
  validationErrorsBelow,
  withStringErrors,
} from '../../platform/http/validation/schema-validation.ts'
import { asValidPayment, domesticOrderOf, parseDebtor, type ValidDomesticPayment } from './domestic-payment-parts.ts'
import { acceptAccountOfConsent } from './domestic-rules.ts'
import type { PayrollInstruction } from './payroll-orders.ts'
import {
  maxTransactionsOf,
  NO_PARTY,
  PAYROLL_RULES,
  type PayrollOfTransaction,
  type PayrollSituation,
  parsePayrollTransaction,
  payrollWarnings,
} from './payroll-rules.ts'
import { ruleErrorsOf, validationContextAt } from './validation-context.ts'

/** The transactions are validated one by one: there may be any number. */
const checkPayrollShape = compileBodyCheck(
  Type.Object({ ...PayrollRequest.properties, transactions: Type.Array(Type.Unknown(), { minItems: 1 }) }),
)
const checkTransactionShape = compileBodyCheck(PayrollTransactionRequest)

export type PayrollValidationContext = {
  readonly situation: PayrollSituation
  /** Whether the bank lists an account with this number on the consent. */
  readonly isAccountOnConsent: (debtor: DebtorAccountNumber) => Promise<boolean>
  /** Errors of strings with invalid characters, at paths in the whole body. */
  readonly texts: readonly ValidationError[]
}

/** A request body with the errors already found in its strings. */
export type CheckedBody<Body> = { readonly body: Body; readonly texts: readonly ValidationError[] }

/** The payroll with the order of each transaction, or all errors. */
export async function parsePayroll(
  context: Context,
  caller: ConsentCaller,
  { body, texts }: CheckedBody<PayrollRequest>,
): Promise<Parsing<PayrollInstruction>> {
  const validation = await payrollValidationContext(context, caller, texts)
  const collector = collectValidationErrors()
  const payments = await parsePayrollAt(collector, '', body, validation)
  const errors = collector.listed(body)
  return errors.length > 0 ? errors : { parsed: await toPayrollInstruction(body, payments, validation) }
}

/** The instruction of a payroll without errors. Throws when a transaction is missing. */
export async function toPayrollInstruction(
  ordered: PayrollRequest,
  payments: readonly ValidDomesticPayment[],
  { situation }: Pick<PayrollValidationContext, 'situation'>,
): Promise<PayrollInstruction> {
  const warnings = await payrollWarnings(payments, situation)
  const orders = await mapYieldingToEventLoop(payments, domesticOrderOf)
  const [payment] = payments
  // An order without one of the salaries would be paid as if it were complete.
  if (payment === undefined || payments.length !== ordered.transactions.length) {
    throw new Error(`A payroll of ${ordered.transactions.length} transactions has ${payments.length} valid ones`)
  }
  const { debtor, dueDate } = payment
  const { currency } = payment.amount
  const minor = orders.reduce((sum, { amount }) => sum + amount.minor, 0n)
  return { ordered, debtor, currency, dueDate, total: { minor, currency }, orders, warnings }
}

export async function payrollValidationContext(
  context: Context,
  caller: ConsentCaller,
  texts: readonly ValidationError[],
): Promise<PayrollValidationContext> {
  const bank = await requireBank(context.banks, caller.consent.bic)
  const situation = validationContextAt(context.clock, bank, caller.consent)
  return {
    situation: { ...situation, transactionsMax: context.config.payrollTransactionsMax },
    isAccountOnConsent: (debtor) => isAccountOnConsent(context, caller, debtor),
    texts,
  }
}

/** Adds the errors of the payroll at a path, whose value may have any shape, and returns its valid transactions. */
export async function parsePayrollAt(
  collector: ValidationErrorCollector,
  path: string,
  payroll: PayrollRequest,
  validation: PayrollValidationContext,
): Promise<readonly ValidDomesticPayment[]> {
  const otherTextErrors = validationErrorsBelow(path, validation.texts).filter(
    ({ path: at }) => !at.startsWith('.transactions['),
  )
  const shape = withStringErrors(checkPayrollShape(payroll), otherTextErrors)
  const isSoundAt = (part: string) => isSound(part, shape)
  const { countryCode } = validation.situation.bank
  const debtor = parseDebtor(countryCode, isSoundAt('.from.account.bban') ? payroll.from.account.bban : undefined)
  const parts = { ordered: payroll, debtor, dueDate: isSoundAt('.dueDate') ? parseDay(payroll.dueDate) : undefined }
  const ruleErrors = ruleErrorsOf(PAYROLL_RULES, parts, validation.situation, isSoundAt)
  const errors = await acceptAccountOfConsent(ruleErrors, () => validation.isAccountOnConsent(debtor))
  collector.add(path, [...shape, ...errors])
  // Transactions above the limit are not validated.
  const isWithinLimit =
    isSoundAt('.transactions') && payroll.transactions.length <= maxTransactionsOf(validation.situation).max
  if (!isWithinLimit) {
    return []
  }
  const from = isSoundAt('.from') ? payroll.from : NO_PARTY
  const dueDate = isSoundAt('.dueDate') ? payroll.dueDate : ''
  return await parseTransactions(collector, path, payroll.transactions, {
    ...validation,
    payroll: { from, purposeCode: payroll.purposeCode, dueDate, debtor },
  })
}

async function parseTransactions(
  collector: ValidationErrorCollector,
  path: string,
  transactions: PayrollRequest['transactions'],
  { situation, texts, payroll }: PayrollValidationContext & { readonly payroll: PayrollOfTransaction },
): Promise<readonly ValidDomesticPayment[]> {
  const positionById = new Map<string, number>()
  const payments = await mapYieldingToEventLoop(transactions, (transaction, position) => {
    const shape = withStringErrors(
      checkTransactionShape(transaction),
      validationErrorsBelow(`${path}.transactions[${position}]`, texts),
    )
    const isSoundAt = (part: string) => isSound(part, shape)
    // A string would be spread into its characters.
    const isObject = isSoundAt('.')
    const { errors: ruleErrors, parts } = isObject
      ? parsePayrollTransaction(replaceMistypedFields(transaction, shape), payroll, situation, isSoundAt)
      : { errors: [], parts: undefined }
    const duplicates = isSoundAt('.metadata.endToEndId') ? duplicateIdErrors(positionById, transaction, position) : []
    collector.add(`${path}.transactions[${position}]`, [...shape, ...ruleErrors, ...duplicates])
    return parts && asValidPayment(parts)
  })
  return payments.filter((payment) => payment !== undefined)
}

/** Partners identify transactions by this id in status responses, so it must be unique in a payroll. */
function duplicateIdErrors(
  positionById: Map<string, number>,
  { metadata: { endToEndId } }: PayrollTransactionRequest,
  position: number,
): readonly ValidationError[] {
  const first = positionById.get(endToEndId)
  positionById.set(endToEndId, first ?? position)
  const reason = `is also the id of .transactions[${first}]`
  return first === undefined ? [] : [{ code: 'InvalidRequest', reason, path: '.metadata.endToEndId' }]
}

/** The number of errors that a response lists. */
export const PAYROLL_VALIDATION_ERRORS_MAX = 1_000
/** Errors of payroll fields are added first but may come last in body order; the margin keeps them from displacing others. */
const COLLECTED_MAX = 2 * PAYROLL_VALIDATION_ERRORS_MAX

type ValidationErrorCollector = {
  /** Adds the errors of one part, at paths below it. Parts are added in body order. */
  readonly add: (path: string, errors: readonly ValidationError[]) => void
  /** The errors in body order; if the list is truncated, a last error states the total. */
  readonly listed: (body: unknown) => readonly ValidationError[]
}

export function collectValidationErrors(): ValidationErrorCollector {
  const collected: ValidationError[] = []
  let count = 0
  return {
    add: (path, errors) => {
      count += errors.length
      // Within a part, errors are not in body order yet, so a part is never truncated here.
      if (collected.length < COLLECTED_MAX) {
        collected.push(...errors.map((error) => ({ ...error, path: pathBelow(path, error.path) })))
      }
    },
    listed: (body) => {
      const reason = `The request has ${count} errors; the first ${PAYROLL_VALIDATION_ERRORS_MAX} are listed`
      const isTruncated = count > PAYROLL_VALIDATION_ERRORS_MAX
      return [
        ...sortInBodyOrder(collected, body).slice(0, PAYROLL_VALIDATION_ERRORS_MAX),
        ...(isTruncated ? [{ code: 'InvalidRequest', reason, path: '.' } as const] : []),
      ]
    },
  }
}

/** An error of the part itself has the path of the part. */
export function pathBelow(path: string, relativePath: string): string {
  return path !== '' && relativePath === '.' ? path : `${path}${relativePath}`
}
