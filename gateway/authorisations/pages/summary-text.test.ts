/** Tests the texts by which users decide what they sign. */
import { expect, test } from 'vitest'
import { textsIn } from '../../page-texts/page-texts.ts'
import { summaryAmount, summaryDay } from '../signature-summary.ts'
import { formatSummaryValue } from './summary-text.ts'

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
