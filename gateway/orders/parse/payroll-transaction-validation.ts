/** Validates one payroll transaction by the rules on domestic payments, with error messages that repeat no value. */
import type { PayrollRequest, PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import { countryRules } from '../../countries/served-countries.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { checkCreditorAccount } from './account-validation.ts'
import { checkAmount } from './amount-validation.ts'
import { toDomesticPayment } from './build-payroll-orders.ts'
import { type DomesticPaymentParts, type ParsedDebtor, parseDomesticPaymentParts } from './domestic-payment-parts.ts'
import { type OrderLimits, orderLimitsOf } from './order-limits.ts'
import { redactNumbers } from './redact-numbers.ts'
import { checkRemittance } from './remittance-validation.ts'
import { checkEndToEndId, checkName } from './text-validation.ts'
import type { RuleResult, ValidationContext } from './validation-context.ts'

type IsSound = (path: string) => boolean
type TransactionSituation = ValidationContext & { readonly limits: OrderLimits; readonly currency: string }
type Rule = (parts: DomesticPaymentParts, transactionSituation: TransactionSituation) => RuleResult

/** Instead of a party that violates its schema; no rule reads it. */
export const NO_PARTY = { account: { bban: '' }, name: '' }
/** Where a field of a payment is in a payroll transaction. */
const pathInTransaction: Readonly<Record<string, string>> = { '.to.account.bban': '.account.bban' }

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
  const errors = rulesByPath.flatMap(([path, rule]) => {
    const finding = isSound(path) ? rule(parts, transactionSituation) : undefined
    return finding === undefined ? [] : [{ path, ...finding }]
  })
  return { errors, parts }
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ ordered }, { bank }) => checkEndToEndId(bank, ordered.metadata.endToEndId)],
  [
    '.name',
    ({ ordered: { to } }, { bank, limits }) =>
      checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax),
  ],
  [
    '.account.bban',
    (parts, transactionSituation) =>
      redacted(checkCreditorAccount(parts, transactionSituation)) ?? checkIsAccount(transactionSituation),
  ],
  ['.amount.currency', ({ ordered }, { currency }) => checkCurrency(ordered.amount.currency, currency)],
  ['.amount.amount', (parts, { bank, limits }) => checkAmount(parts, bank, limits)],
  ['.remittanceInformation', (parts, { bank, limits }) => redacted(checkRemittance(parts, bank, limits))],
]

/** An order has one currency: the country's. */
function checkCurrency(ordered: string, domestic: string): RuleResult {
  return ordered === domestic
    ? undefined
    : { code: 'InvalidAmount', reason: `must be ${domestic}, the currency of every transaction` }
}

/** Banks have separate endpoints for giro payments; which one applies follows from the creditor's number, which is sealed. */
function checkIsAccount({ limits: { rail } }: TransactionSituation): RuleResult {
  return rail === 'account'
    ? undefined
    : { code: 'InvalidAccountNumber', reason: 'is not an account number; payrolls pay to bank accounts only' }
}

function redacted(finding: RuleResult): RuleResult {
  return finding && { ...finding, reason: redactNumbers(finding.reason) }
}
