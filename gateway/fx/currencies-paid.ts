/** Tells in which of a country's currencies receivers are paid here: those that are exchanged. */
import { currencyRules } from './currency-limits.ts'

export function isExchanged(currency: string): boolean {
  return currencyRules(currency) !== undefined
}
