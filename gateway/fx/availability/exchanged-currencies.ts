/** Tells whether a currency can be exchanged, and so paid out. */
import { currencyRules } from './currency-rules.ts'

export function isExchangedCurrency(currency: string): boolean {
  return currencyRules(currency) !== undefined
}
