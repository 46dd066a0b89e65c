/** Formats the amount of an order, whose text the partner wrote. */
import { parseMoney } from '../../gateway/platform/money.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'

/** As readers write it; as ordered where it is no amount of the currency. */
export function orderedAmount({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  const money = parseMoney(amount, currency)
  return money === undefined ? `${amount} ${currency}` : formatMoneyForReaders(money)
}
