/** Tests the texts by which users decide what they sign. */
import { expect, test } from 'vitest'
import { textsIn } from '../../page-texts/page-texts.ts'
import { type SummaryLine, summaryAmount, summaryDay, summaryText } from '../signature-summary.ts'
import { formatSummaryValue, withFormattedNumbers } from './summary-text.ts'

test.each([
  ['en', { minor: 125_000n, currency: 'NOK' }, '1\u00a0250.00\u00a0NOK'],
  ['en', { minor: 99n, currency: 'NOK' }, '0.99\u00a0NOK'],
  ['nb', { minor: 125_000n, currency: 'NOK' }, '1\u00a0250,00\u00a0NOK'],
  ['sv', { minor: 123_456_789_00n, currency: 'SEK' }, '123\u00a0456\u00a0789,00\u00a0SEK'],
  ['da', { minor: 123_456_789_00n, currency: 'DKK' }, '123.456.789,00\u00a0DKK'],
  ['fi', { minor: 1_000_000n, currency: 'JPY' }, '1\u00a0000\u00a0000\u00a0JPY'],
] as const)('in %s, groups the thousands of an amount and prints every decimal: %o', (language, money, text) => {
  expect(formatSummaryValue(textsIn(language), summaryAmount(money))).toBe(text)
})

test.each([
  ['en', '3 February 2026'],
  ['nb', '3. februar 2026'],
  ['sv', '3 februari 2026'],
  ['da', '3. februar 2026'],
  ['fi', '3. helmikuuta 2026'],
] as const)('in %s, writes the month of a date in letters', (language, text) => {
  expect(formatSummaryValue(textsIn(language), summaryDay('date', Temporal.PlainDate.from('2026-02-03')))).toBe(text)
})

test.each([
  ['en', '1 USD = 1\u00a0006.8415 ISK', '9\u00a0990 / 10\u00a0000'],
  ['da', '1 USD = 1.006,8415 ISK', '9.990 / 10.000'],
] as const)('in %s, an exchange rate and a number of payouts are written like amounts', (language, rate, payouts) => {
  const shown = [summaryText('rate', '1 USD = 1006.8415 ISK'), summaryText('payouts', '9990 / 10000')]
  expect(shown.map((line) => formatSummaryValue(textsIn(language), line))).toEqual([rate, payouts])
})

const account = (label: SummaryLine['label'], value: string): SummaryLine => ({ label, value, kind: 'account' })

test.each([
  [
    'a giro number is named',
    'SE',
    [account('to-account', '5402-9681'), account('from-account', '54391024039')],
    ['Bankgiro 5402-9681', '5439-1024039'],
  ],
  [
    'an account abroad is not printed like one of the own country',
    'NO',
    [account('to-account', '12345678901'), account('through-account', '80501200011')],
    ['12345678901', '8050.12.00011'],
  ],
  [
    'an IBAN is in groups of four',
    'NO',
    [account('to-account', 'DE89370400440532013000'), account('through-account', '80501200011')],
    ['DE89 3704 0044 0532 0130 00', '8050.12.00011'],
  ],
  [
    'the number of a company is printed as in its country, on one line',
    'NO',
    [summaryText('company', 'Nordlys (Nord) AS (999999999)'), summaryText('message', '(999999999)')],
    ['Nordlys (Nord) AS (999\u00a0999\u00a0999)', '(999999999)'],
  ],
] as const)('%s', (_case, countryCode, item, shown) => {
  expect(withFormattedNumbers(item, countryCode).map(({ value }) => value)).toEqual(shown)
})
