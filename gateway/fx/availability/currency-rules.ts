/** Returns the currencies that can be exchanged, with their amount and due date limits. */

import type { Currency } from '../../../contract/fx/fx-operations.ts'
import table from '../../../data/currency-rules.json' with { type: 'json' }
import { currencyScale, formatAmount, type Money, parseMoney } from '../../platform/money.ts'
import { DUE_TODAY_UNTIL } from './service-hours.ts'

export type CurrencyRules = {
  readonly currency: string
  readonly decimals: number
  /** Countries from which it can fund an exchange by domestic payment; empty where it is payout only. */
  readonly fundingFrom: readonly string[]
  /** How many bank days in advance it can be bought; 0 for the same day only. */
  readonly dueDateMaxDays: number
  /** Maximum of one exchange; `dueLater` is null where it cannot be bought in advance. */
  readonly maxAmount: { readonly dueToday: Money; readonly dueLater: Money | null }
}

const rulesByCurrency: ReadonlyMap<string, CurrencyRules> = new Map(
  table.currencies.map(({ currency, dueDateMaxDays, maxAmount, fundingFrom = [] }) => [
    currency,
    {
      currency,
      decimals: currencyScale(currency) ?? 0,
      fundingFrom,
      dueDateMaxDays,
      maxAmount: {
        dueToday: moneyIn(currency, maxAmount.dueToday),
        dueLater: maxAmount.dueLater === null ? null : moneyIn(currency, maxAmount.dueLater),
      },
    },
  ]),
)

/** All currencies in alphabetical order. */
export const CURRENCIES: readonly CurrencyRules[] = [...rulesByCurrency.values()]

/** The rules of a currency; undefined where it cannot be exchanged. */
export function currencyRules(currency: string): CurrencyRules | undefined {
  return rulesByCurrency.get(currency)
}

function moneyIn(currency: string, amount: string): Money {
  const money = parseMoney(amount, currency)
  if (money === undefined) {
    throw new Error(`data/currency-rules.json: ${amount} is not a valid amount in ${currency}`)
  }
  return money
}

export function listCurrencies(): Currency[] {
  return CURRENCIES.map(({ currency, decimals, fundingFrom, dueDateMaxDays, maxAmount }) => ({
    currency,
    decimals,
    funding: fundingFrom.length > 0,
    payout: true,
    maxAmount: {
      dueToday: formatAmount(maxAmount.dueToday),
      dueLater: maxAmount.dueLater === null ? null : formatAmount(maxAmount.dueLater),
    },
    dueDateMaxDays,
    cutOffTime: formatHour(DUE_TODAY_UNTIL),
  }))
}

/** Formats as `HH:MM`. */
export function formatHour(time: Temporal.PlainTime): string {
  return time.toString({ smallestUnit: 'minute' })
}
