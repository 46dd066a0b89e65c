/** Lists the currencies that are exchanged, and within which limits. */
import type { Currency } from '../../../contract/fx/fx-operations.ts'
import { printAmount } from '../../platform/money.ts'
import { CURRENCIES } from './currency-rules.ts'
import { DUE_TODAY_UNTIL } from './service-hours.ts'

export function listCurrencies(): Currency[] {
  return CURRENCIES.map(({ currency, decimals, fundingFrom, dueDateMaxDays, maxAmount }) => ({
    currency,
    decimals,
    funding: fundingFrom.length > 0,
    payout: true,
    maxAmount: {
      dueToday: printAmount(maxAmount.dueToday),
      dueLater: maxAmount.dueLater === null ? null : printAmount(maxAmount.dueLater),
    },
    dueDateMaxDays,
    cutOffTime: printHour(DUE_TODAY_UNTIL),
  }))
}

/** As `HH:MM`. */
export function printHour(time: Temporal.PlainTime): string {
  return time.toString({ smallestUnit: 'minute' })
}
