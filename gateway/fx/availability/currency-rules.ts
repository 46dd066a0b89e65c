/** Tells which currencies are exchanged, how much of each at once, and how far ahead. */
import table from '../../../data/currency-rules.json' with { type: 'json' }
import { type Money, parseMoney, scaleOf } from '../../platform/money.ts'

/** What holds for one currency. */
export type CurrencyRules = {
  readonly currency: string
  readonly decimals: number
  /** Countries from which it is paid in by a domestic payment; none where it is only paid out. */
  readonly fundingFrom: readonly string[]
  /** How many bank days ahead it is bought; 0 where it is never bought ahead. */
  readonly dueDateMaxDays: number
  /** The most that is exchanged at once; `dueLater` is null where it is never bought ahead. */
  readonly maxAmount: { readonly dueToday: Money; readonly dueLater: Money | null }
}

const rulesByCurrency: ReadonlyMap<string, CurrencyRules> = new Map(
  table.currencies.map(({ currency, dueDateMaxDays, maxAmount, fundingFrom = [] }) => [
    currency,
    {
      currency,
      decimals: scaleOf(currency) ?? 0,
      fundingFrom,
      dueDateMaxDays,
      maxAmount: {
        dueToday: moneyIn(currency, maxAmount.dueToday),
        dueLater: maxAmount.dueLater === null ? null : moneyIn(currency, maxAmount.dueLater),
      },
    },
  ]),
)

/** All currencies, by the alphabet. */
export const CURRENCIES: readonly CurrencyRules[] = [...rulesByCurrency.values()]

/** The rules of a currency; undefined where it is not exchanged. */
export function currencyRules(currency: string): CurrencyRules | undefined {
  return rulesByCurrency.get(currency)
}

function moneyIn(currency: string, amount: string): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error(`data/currency-rules.json: ${amount} is no amount in ${currency}`)
  }
  return money
}
