/** The rules on the money of a domestic payment: its currency, and the limits on its amount. */
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank, RailTerms } from '../../banks/directory/bank.ts'
import { countryRules } from '../../countries/served-countries.ts'
import type { Finding } from '../../orders/instructions/validation-context.ts'
import { type Money, parseMoney, scaleOf } from '../../platform/money.ts'

export function checkSenderCurrency({ from }: DomesticPayment, { countryCode }: Bank): Finding {
  const domestic = countryRules(countryCode)?.currency
  return from.currency === domestic
    ? undefined
    : {
        code: 'InvalidRequest',
        reason: `must be ${domestic}; accounts in other currencies pay by a cross-border payment`,
      }
}

export function checkCurrency({ amount }: DomesticPayment, { countryCode }: Bank): Finding {
  const domestic = countryRules(countryCode)?.currency
  if (scaleOf(amount.currency) === undefined) {
    return invalid(`${amount.currency} is no currency of ISO 4217`)
  }
  return amount.currency === domestic
    ? undefined
    : invalid(`must be ${domestic} in a domestic payment of ${countryCode}`)
}

/** An amount of an unknown currency is left to the rule on currencies. */
export function checkAmount({ amount }: DomesticPayment, bank: Bank, terms: RailTerms): Finding {
  const { amount: text, currency } = amount
  const scale = scaleOf(String(currency))
  if (scale === undefined) {
    return undefined
  }
  const money = parseMoney(text, String(currency))
  if (money === undefined) {
    return invalid(`${currency} has ${scale} decimals at most`)
  }
  return money.minor === 0n ? invalid('must be above zero') : checkLimits(money, bank, terms)
}

/** The lower of both limits is told: the other one would only be met on the next try. */
function checkLimits({ minor, currency }: Money, { name, countryCode, profile }: Bank, terms: RailTerms): Finding {
  const domestic = countryRules(countryCode)?.currency
  const limits = [
    {
      max: currency === domestic ? terms.amountMax : null,
      told: `the most that ${name} takes in a payment of this kind`,
    },
    { max: profile.amountMax[currency] ?? null, told: `the most that ${name} takes in one payment` },
  ]
    .flatMap(({ max, told }) => {
      const limit = max === null ? undefined : parseMoney(max, currency)
      return limit === undefined ? [] : { max, told, minor: limit.minor }
    })
    .toSorted((one, other) => Number(one.minor - other.minor))
  const [lowest] = limits
  return lowest !== undefined && minor > lowest.minor
    ? invalid(`is above ${lowest.max} ${currency}, ${lowest.told}`)
    : undefined
}

function invalid(reason: string): Finding {
  return { code: 'InvalidAmount', reason }
}
