/** Parses and formats money: minor units plus currency inside, decimal strings outside, ISO 4217 scales. */
import iso4217 from '../../data/currency-scale.json' with { type: 'json' }

/** An exact amount: `minor` counts the currency's smallest unit, e.g. øre for NOK. */
export type Money = { readonly minor: bigint; readonly currency: string }

const AMOUNT = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,4}))?$/
const scaleByCurrency: ReadonlyMap<string, number> = new Map(
  Object.entries(iso4217.currencies).map(([currency, { d }]) => [currency, d]),
)

/** How many decimals a currency has (ISO 4217), or undefined when there is no such currency. */
export function currencyScale(currency: string): number | undefined {
  return scaleByCurrency.get(currency)
}

/** The currencies by how many decimals they have. */
export function currenciesByScale(): ReadonlyMap<number, readonly string[]> {
  return Map.groupBy(scaleByCurrency.keys(), (currency) => scaleByCurrency.get(currency) ?? 0)
}

/**
 * Parses a decimal such as `1250.00`; `1`, `1.0` and `1.00` NOK are equal. Undefined when the text is not a plain
 * decimal, the currency is unknown, or it has more decimals than the currency.
 */
export function parseMoney(amount: string, currency: string): Money | undefined {
  const scale = scaleByCurrency.get(currency)
  const [, whole, fraction = ''] = AMOUNT.exec(amount) ?? []
  if (scale === undefined || whole === undefined || fraction.length > scale) {
    return undefined
  }
  return { minor: BigInt(whole + fraction.padEnd(scale, '0')), currency }
}

/** Formats the decimal with exactly the currency's scale: `1250.00` for NOK, `1250` for JPY. */
export function formatAmount(money: Money): string {
  const scale = scaleByCurrency.get(money.currency)
  if (scale === undefined) {
    throw new Error(`Unknown currency ${money.currency}`)
  }
  const negative = money.minor < 0n
  const digits = (negative ? -money.minor : money.minor).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`
  return negative ? `-${text}` : text
}

const DIGITS_OF_GROUP = 3

/** Puts a separator between groups of three digits of a whole number, which may have a sign. */
export function groupDigits(whole: string, separator: string): string {
  const from = whole.search(/\d/)
  const [sign, digits] = [whole.slice(0, from), whole.slice(from)]
  const first = digits.length % DIGITS_OF_GROUP || DIGITS_OF_GROUP
  const others = digits.slice(first).match(/\d{3}/g) ?? []
  return sign + [digits.slice(0, first), ...others].join(separator)
}

/** The JSON form of money in APIs. */
export function formatMoney(money: Money): { amount: string; currency: string } {
  return { amount: formatAmount(money), currency: money.currency }
}
