/** The business rules on one payout of a payroll: those on a domestic payment, worded so that no value is repeated. */
import type { PayrollAsked, PayrollTransactionAsked } from '../../contract/payrolls/payroll-request.ts'
import { countryRules } from '../countries/served-countries.ts'
import type { Finding, Situation } from '../orders/instructions/validation-context.ts'
import { asDomestic } from '../orders/payroll/build-payroll-orders.ts'
import { checkReceiverAccount } from '../payments/domestic/account-validation.ts'
import { checkAmount } from '../payments/domestic/amount-validation.ts'
import { type OrderLimits, orderLimitsOf } from '../payments/domestic/order-limits.ts'
import { checkRemittance } from '../payments/domestic/remittance-validation.ts'
import { checkEndToEndId, checkName } from '../payments/text-rules.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { withoutNumbers } from './without-numbers.ts'

type IsSound = (path: string) => boolean
type Order = ReturnType<typeof asDomestic>
type Judged = Situation & { readonly limits: OrderLimits; readonly currency: string }
type Rule = (order: Order, judged: Judged) => Finding

/** Stands in for what is not sound; no rule on another part minds it. */
const NOBODY = { account: { bban: '' }, name: '' }
const NOTHING = { type: 'message', value: '' } as const

/** Every problem that the rules find in a payout, at paths below it. `from` is undefined where it is not sound. */
export function payoutProblems(
  payout: PayrollTransactionAsked,
  from: PayrollAsked['from'] | undefined,
  situation: Situation,
  isSound: IsSound,
): readonly Problem[] {
  const { bank, localNow } = situation
  const currency = countryRules(bank.countryCode)?.currency ?? ''
  const whole = { from: from ?? NOBODY, purposeCode: 'SALA' } as const
  // No rule on a payout looks at its day.
  const order = asDomestic(whole, readable(payout, isSound), { currency, dueDate: localNow.toPlainDate() })
  const limits = orderLimitsOf(order, bank, (path) => !path.startsWith('.from') || from !== undefined)
  const judged = { ...situation, limits, currency }
  return rulesByPath.flatMap(([path, rule]) => {
    const finding = isSound(path) ? rule(order, judged) : undefined
    return finding === undefined ? [] : [{ path, ...finding }]
  })
}

const rulesByPath: readonly (readonly [path: string, rule: Rule])[] = [
  ['.metadata.endToEndId', ({ metadata }, { bank }) => checkEndToEndId(bank, metadata.endToEndId)],
  [
    '.name',
    ({ to }, { bank, limits }) => checkName(bank, to.contactInformation.name, 'Recipient', limits.recipientNameMax),
  ],
  ['.account.bban', (order, judged) => worded(checkReceiverAccount(order, judged)) ?? checkIsAccount(judged)],
  ['.amount.currency', ({ amount }, { currency }) => checkCurrency(amount.currency, currency)],
  ['.amount.amount', (order, { bank, limits }) => checkAmount(order, bank, limits)],
  [
    '.remittanceInformation',
    ({ remittanceInformation }, { bank, limits }) => worded(checkRemittance(remittanceInformation, bank, limits)),
  ],
]

/** One order is in one currency: that of the country, in which salaries are paid. */
function checkCurrency(ordered: string, domestic: string): Finding {
  return ordered === domestic
    ? undefined
    : { code: 'InvalidAmount', reason: `must be ${domestic}, the currency of every payout` }
}

/** Banks keep other orders apart, under addresses that follow from the receiver's number, which is sealed. */
function checkIsAccount({ limits: { rail } }: Judged): Finding {
  return rail === 'account'
    ? undefined
    : { code: 'InvalidAccountNumber', reason: 'is not the number of an account; a payroll pays to accounts alone' }
}

function worded(finding: Finding): Finding {
  return finding && { ...finding, reason: withoutNumbers(finding.reason) }
}

/** The payout with stand-ins for what rules on other parts would stumble over. */
function readable(payout: PayrollTransactionAsked, isSound: IsSound): PayrollTransactionAsked {
  return {
    ...payout,
    account: isSound('.account') ? payout.account : NOBODY.account,
    remittanceInformation: isSound('.remittanceInformation') ? payout.remittanceInformation : NOTHING,
  }
}
