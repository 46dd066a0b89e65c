/** Tells in which of a country's currencies receivers are paid here: those that are exchanged. */
import { currencyRules } from './availability/currency-rules.ts'

export function isExchanged(currency: string): boolean {
  return currencyRules(currency) !== undefined
}
