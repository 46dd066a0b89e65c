/** Validates a payroll and each of its transactions by the rules on domestic payments, and warns, in messages that repeat no value. */
import type { PayrollRequest, PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import type { PayrollWarning } from '../../../contract/payrolls/payroll-response.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { mapYieldingToEventLoop } from '../../platform/concurrency.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import {
  type DomesticPaymentParts,
  type ParsedDebtor,
  parseDomesticPaymentParts,
  type ValidDomesticPayment,
} from './domestic-payment-parts.ts'
import { domesticPaymentWarnings } from './domestic-payment-warnings.ts'
import {
  checkAmount,
  checkCreditorAccount,
  checkDebtorAccount,
  checkDebtorOrganisationNumber,
  type OrderLimits,
  orderLimitsOf,
} from './domestic-rules.ts'
import { checkDueDate } from './execution-day.ts'
import { toDomesticPayment } from './payroll-orders.ts'
import { checkCreditorName, checkEndToEndId, checkName, checkRemittance } from './text-and-remittance-validation.ts'
import { type RuleResult, type Rules, ruleErrorsOf, type ValidationContext } from './validation-context.ts'

/** What the validation of a payroll depends on, apart from the payroll itself. */
export type PayrollSituation = ValidationContext & {
  /** The limit of this gateway, whatever the limit of the bank. */
  readonly transactionsMax: number
}

/** A payroll whose transactions are only counted. */
type PayrollHeader = Pick<PayrollRequest, 'from' | 'dueDate' | 'purposeCode'> & {
  readonly transactions: readonly unknown[]
}
/** A payroll without its transactions, and what its parts mean. */
type PayrollParts = Pick<DomesticPaymentParts, 'debtor' | 'dueDate'> & { readonly ordered: PayrollHeader }

/** The maximum number of transactions in a payroll, and whose limit it is. */
export function maxTransactionsOf({ bank, transactionsMax }: Pick<PayrollSituation, 'bank' | 'transactionsMax'>): {
  readonly max: number
  readonly whose: string
} {
  const { maxPayrollSize } = bank.profile.constraints
  return maxPayrollSize !== null && maxPayrollSize <= transactionsMax
    ? { max: maxPayrollSize, whose: bank.name }
    : { max: transactionsMax, whose: 'this gateway' }
}

/** Of a payroll without its transactions. */
export const PAYROLL_RULES: Rules<PayrollParts, PayrollSituation> = [
  ['.from.account.bban', (parts, situation) => redacted(checkDebtorAccount(parts, situation))],
  ['.from.name', ({ ordered: { from } }, { bank }) => checkName(bank, from.name, 'Sender', null)],
  ['.from.organizationNumber', checkDebtorOrganisationNumber],
  ['.transactions', checkCount],
  // Also where the purpose code is invalid: no other one makes a closed day valid.
  ['.dueDate', ({ dueDate }, situation) => checkDueDate({ dueDate, ordered: { purposeCode: 'SALA' } }, situation)],
]

function checkCount({ ordered }: PayrollParts, situation: PayrollSituation): RuleResult {
  const { length } = ordered.transactions
  const { max, whose } = maxTransactionsOf(situation)
  return length <= max
    ? undefined
    : { code: 'InvalidRequest', reason: `has ${length} transactions; ${whose} accepts at most ${max} in one payroll` }
}

type IsSound = (path: string) => boolean
type TransactionSituation = ValidationContext & { readonly limits: OrderLimits; readonly currency: string }

/** Instead of a party that violates its schema; no rule reads it. */
export const NO_PARTY = { account: { bban: '' }, name: '' }
/** Where a field of a payment is in a payroll transaction. */
const pathInTransaction: Readonly<Record<string, string>> = {
  '.to.account.bban': '.account.bban',
  '.remittanceInformation': '.remittanceInformation',
}

/** The payroll of a transaction: its debtor, parsed, and the rest as requested. */
export type PayrollOfTransaction = Pick<PayrollRequest, 'from' | 'purposeCode' | 'dueDate'> & {
  readonly debtor: ParsedDebtor
}

/** A transaction as a payment, and all violations at paths below the transaction. */
export function parsePayrollTransaction(
  transaction: PayrollTransactionRequest,
  { debtor, ...payroll }: PayrollOfTransaction,
  situation: ValidationContext,
  isSound: IsSound,
): { readonly errors: readonly ValidationError[]; readonly parts: DomesticPaymentParts } {
  const { bank } = situation
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  const { account } = isSound('.account') ? transaction : NO_PARTY
  const order = toDomesticPayment(payroll, { ...transaction, account }, { currency, dueDate: payroll.dueDate })
  const isSoundInOrder = (path: string) => isSound(pathInTransaction[path] ?? path)
  const parts = parseDomesticPaymentParts(order, bank.countryCode, debtor, isSoundInOrder)
  const transactionSituation = { ...situation, limits: orderLimitsOf(parts, bank), currency }
  return { errors: ruleErrorsOf(TRANSACTION_RULES, parts, transactionSituation, isSound), parts }
}

const TRANSACTION_RULES: Rules<DomesticPaymentParts, TransactionSituation> = [
  ['.metadata.endToEndId', checkEndToEndId],
  ['.name', checkCreditorName],
  [
    '.account.bban',
    (parts, transactionSituation) =>
      redacted(checkCreditorAccount(parts, transactionSituation)) ?? checkIsAccount(parts),
  ],
  ['.amount.currency', ({ ordered }, { currency }) => checkCurrency(ordered.amount.currency, currency)],
  ['.amount.amount', checkAmount],
  ['.remittanceInformation', (parts, transactionSituation) => redacted(checkRemittance(parts, transactionSituation))],
]

/** An order has one currency: the country's. */
function checkCurrency(ordered: string, domestic: string): RuleResult {
  return ordered === domestic
    ? undefined
    : { code: 'InvalidAmount', reason: `must be ${domestic}, the currency of every transaction` }
}

/** Banks have separate endpoints for giro payments; which one applies follows from the creditor's number, which is sealed. */
function checkIsAccount({ rail }: DomesticPaymentParts): RuleResult {
  return rail === 'account'
    ? undefined
    : { code: 'InvalidAccountNumber', reason: 'is not an account number; payrolls pay to bank accounts only' }
}

function redacted(finding: RuleResult): RuleResult {
  return finding && { ...finding, reason: redactNumbers(finding.reason) }
}

/** Four digits, as the shortest clearing number; payment-slip card types, counts and length limits are shorter. */
const NUMBER = /\d(?:[ .-]?\d){3,}/g

/** Messages about payrolls end up in the logs of partners, so they must not repeat values. */
export function redactNumbers(reason: string): string {
  return reason.replace(NUMBER, '…')
}

const WARNINGS_MAX = 1_000

/** The field is mandatory in payrolls, so a warning that the bank ignores it is of no use. */
const FIXED_PURPOSE_PATH = '.purposeCode'

/** Warnings that apply to all transactions come once and first, then those of each transaction in request order; 1,000 at most. */
export async function payrollWarnings(
  payments: readonly ValidDomesticPayment[],
  situation: ValidationContext,
): Promise<readonly PayrollWarning[]> {
  const common = new Map<string, PayrollWarning>()
  const single: PayrollWarning[] = []
  await mapYieldingToEventLoop(payments, (payment, position) => {
    for (const { paymentId: _none, ...warning } of domesticPaymentWarnings(payment, situation)) {
      const { path = '' } = warning
      const within = pathInTransaction[path]
      if (within === undefined) {
        common.set(path, laterOf(common.get(path), warning))
      } else if (single.length < WARNINGS_MAX) {
        const reason = redactNumbers(warning.reason ?? '')
        single.push({ ...warning, reason, path: `.transactions[${position}]${within}` })
      }
    }
  })
  common.delete(FIXED_PURPOSE_PATH)
  return [...common.values(), ...single].slice(0, WARNINGS_MAX)
}

/** Transactions may be executed on different days: the last day counts. */
function laterOf(current: PayrollWarning | undefined, warning: PayrollWarning): PayrollWarning {
  const [day = '', other = ''] = [current?.expectedExecutionDate, warning.expectedExecutionDate]
  return current !== undefined && day >= other ? current : warning
}

/** Warns of `payrollId`, an equal payroll of the last 24 hours. */
export function duplicatePayrollWarnings(payrollId: string | null): readonly PayrollWarning[] {
  const reason = 'A payroll with the same transactions was ordered within the last 24 hours'
  return payrollId === null ? [] : [{ code: 'PossibleDuplicate', reason, path: '.transactions', payrollId }]
}
