/** Validates one payroll transaction by the rules on domestic payments, with error messages that repeat no value. */
import type { PayrollRequest, PayrollTransactionRequest } from '../../../contract/payrolls/payroll-request.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { checkCreditorAccount } from '../../orders/parse/account-validation.ts'
import { checkAmount } from '../../orders/parse/amount-validation.ts'
import { type OrderLimits, orderLimitsOf } from '../../orders/parse/order-limits.ts'
import { checkRemittance } from '../../orders/parse/remittance-validation.ts'
import { checkEndToEndId, checkName } from '../../orders/parse/text-validation.ts'
import type { RuleResult, ValidationContext } from '../../orders/parse/validation-context.ts'
import { toDomesticPayment } from '../../orders/payroll/build-payroll-orders.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { redactNumbers } from './redact-numbers.ts'

type IsSound = (path: string) => boolean
type Order = ReturnType<typeof toDomesticPayment>
type TransactionSituation = ValidationContext & { readonly limits: OrderLimits; readonly currency: string }
type Rule = (order: Order, transactionSituation: TransactionSituation) => RuleResult

/** Replaces fields that violate their schema; no rule on another field reads them. */
const PLACEHOLDER_PARTY = { account: { bban: '' }, name: '' }
const PLACEHOLDER_REMITTANCE = { type: 'message', value: '' } as const

/** All violations in a transaction, at paths below it. `from` is undefined if it violates its schema. */
export function payrollTransactionErrors(
  transaction: PayrollTransactionRequest,
  from: PayrollRequest['from'] | undefined,
  situation: ValidationContext,
  isSound: IsSound,
): readonly ValidationError[] {
  const { bank, localNow } = situation
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  const header = { from: from ?? PLACEHOLDER_PARTY, purposeCode: 'SALA' } as const
  // No rule on a transaction reads its due date.
  const order = toDomesticPayment(header, withPlaceholders(transaction, isSound), {
    currency,
    dueDate: localNow.toPlainDate(),
  })
  const limits = orderLimitsOf(order, bank, (path) => !path.startsWith('.from') || from !== undefined)
  const transactionSituation = { ...situation, limits, currency }
  return rulesByPath.flatMap(([path, rule]) => {
    const finding = isSound(path) ? rule(order, transactionSituation) : undefined
    return finding === undefined ? [] : [{ path, ...finding }]
  })
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ metadata }, { bank }) => checkEndToEndId(bank, metadata.endToEndId)],
  [
    '.name',
    ({ to }, { bank, limits }) => checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax),
  ],
  [
    '.account.bban',
    (order, transactionSituation) =>
      redacted(checkCreditorAccount(order, transactionSituation)) ?? checkIsAccount(transactionSituation),
  ],
  ['.amount.currency', ({ amount }, { currency }) => checkCurrency(amount.currency, currency)],
  ['.amount.amount', (order, { bank, limits }) => checkAmount(order, bank, limits)],
  [
    '.remittanceInformation',
    ({ remittanceInformation }, { bank, limits }) => redacted(checkRemittance(remittanceInformation, bank, limits)),
  ],
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

/** The transaction with placeholders for fields that violate their schema. */
function withPlaceholders(transaction: PayrollTransactionRequest, isSound: IsSound): PayrollTransactionRequest {
  return {
    ...transaction,
    account: isSound('.account') ? transaction.account : PLACEHOLDER_PARTY.account,
    remittanceInformation: isSound('.remittanceInformation')
      ? transaction.remittanceInformation
      : PLACEHOLDER_REMITTANCE,
  }
}
