/** Tests the thresholds of regulatory reporting for amounts in other currencies. */
import { describe, expect, test } from 'vitest'
import shipped from '../../../data/ecb-rates.json' with { type: 'json' }
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import { reportingFindings } from '../../countries/regulatory-reporting.ts'
import { formatMoney, parseMoney } from '../../platform/money.ts'
import { convertAtRates } from './get-reference-rates.ts'

const rates = { day: Temporal.PlainDate.from(shipped.day), perEuro: { ...shipped.rates, EUR: '1' } }

describe('regulatory reporting', () => {
  test.each(vectors.suites.regulatoryReporting)(
    'from $country of $amount $currency, worth $worth: $required',
    ({ country, amount, currency, worth, required }) => {
      const paid = parseMoney(amount, currency)
      const home = country === 'NO' ? 'NOK' : 'SEK'
      const value = paid === undefined ? undefined : convertAtRates(rates, paid, home)
      if (value === undefined) {
        throw new Error(`${amount} ${currency} is worth nothing`)
      }
      expect(formatMoney(value)).toEqual({ amount: worth, currency: home })
      expect(reportingFindings(country, value, undefined).map(({ fault }) => fault)).toEqual(
        required ? ['missing'] : [],
      )
    },
  )
})
