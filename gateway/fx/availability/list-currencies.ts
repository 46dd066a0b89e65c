/** Lists the currencies that can be exchanged, with their limits. */
import type { Currency } from '../../../contract/fx/fx-operations.ts'
import { formatAmount } from '../../platform/money.ts'
import { CURRENCIES } from './currency-rules.ts'
import { DUE_TODAY_UNTIL } from './service-hours.ts'

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
