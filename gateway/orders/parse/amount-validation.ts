/** Validates the money of a domestic payment: its currency and the limits on its amount. */
import type { Bank } from '../../banks/connector/bank.ts'
import type { RailTerms } from '../../banks/connector/bank-profile.ts'
import { countryRules } from '../../countries/served-countries.ts'
import { currencyScale, type Money, parseMoney } from '../../platform/money.ts'
import type { DomesticPaymentParts } from './domestic-payment-parts.ts'
import type { Ordered, RuleResult, ValidationContext } from './validation-context.ts'

type OfBank = Pick<ValidationContext, 'bank'>

export function checkDebtorCurrency({ ordered: { from } }: Ordered<'from'>, { bank }: OfBank): RuleResult {
  const domestic = countryRules(bank.countryCode)?.currency
  return from.currency === domestic
    ? undefined
    : {
        code: 'InvalidRequest',
        reason: `must be ${domestic}; accounts in other currencies pay by a cross-border payment`,
      }
}

export function checkCurrency(
  { ordered: { amount } }: Ordered<'amount'>,
  { bank: { countryCode } }: OfBank,
): RuleResult {
  const domestic = countryRules(countryCode)?.currency
  if (currencyScale(amount.currency) === undefined) {
    return invalid(`${amount.currency} is not an ISO 4217 currency`)
  }
  return amount.currency === domestic
    ? undefined
    : invalid(`must be ${domestic} in a domestic payment of ${countryCode}`)
}

/** Skips amounts in unknown currencies, which the rule on currencies rejects. */
export function checkAmount(
  { ordered, amount: money }: Pick<DomesticPaymentParts, 'ordered' | 'amount'>,
  { bank, limits }: OfBank & { readonly limits: RailTerms },
): RuleResult {
  const { currency } = ordered.amount
  const scale = currencyScale(String(currency))
  if (scale === undefined) {
    return undefined
  }
  if (money === undefined) {
    return invalid(`${currency} has ${scale} decimals at most`)
  }
  return money.minor === 0n ? invalid('must be above zero') : checkLimits(money, bank, limits)
}

/** Reports the lower limit: after the other one a retry would fail again. */
function checkLimits({ minor, currency }: Money, { name, countryCode, profile }: Bank, terms: RailTerms): RuleResult {
  const domestic = countryRules(countryCode)?.currency
  const limits = [
    {
      max: currency === domestic ? terms.amountMax : null,
      description: `the limit of ${name} for a payment of this kind`,
    },
    { max: profile.amountMax[currency] ?? null, description: `the limit of ${name} for one payment` },
  ]
    .flatMap(({ max, description }) => {
      const limit = max === null ? undefined : parseMoney(max, currency)
      return limit === undefined ? [] : { max, description, minor: limit.minor }
    })
    .toSorted((one, other) => Number(one.minor - other.minor))
  const [lowest] = limits
  return lowest !== undefined && minor > lowest.minor
    ? invalid(`is above ${lowest.max} ${currency}, ${lowest.description}`)
    : undefined
}

function invalid(reason: string): RuleResult {
  return { code: 'InvalidAmount', reason }
}

/** The limits of one order. */
export type OrderLimits = RailTerms & {
  readonly messageMax: number
  /** Whether the limit on the message is that of payments to other banks. */
  readonly isToOtherBank: boolean
}

/** Where one of the two account numbers is invalid, the widest limits apply. */
export function orderLimitsOf(
  {
    debtor,
    creditor,
    rail,
    needsClearing,
  }: Pick<DomesticPaymentParts, 'debtor' | 'creditor' | 'rail' | 'needsClearing'>,
  { profile: { rails, constraints } }: Bank,
): OrderLimits {
  const terms = rails[rail] ?? rails.account
  const messageMaxInside = constraints.maxUnstructuredRemittanceInfoLength
  const messageMaxOutside = constraints.maxUnstructuredRemittanceInfoLengthToOtherBanks
  const isToOtherBank =
    rail === 'account' &&
    terms.messageMax === null &&
    messageMaxOutside < messageMaxInside &&
    debtor.bban !== '' &&
    creditor.ok &&
    needsClearing
  return {
    ...terms,
    messageMax: terms.messageMax ?? (isToOtherBank ? messageMaxOutside : messageMaxInside),
    isToOtherBank,
  }
}
