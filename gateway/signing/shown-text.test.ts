/** Tests the texts by which people decide what they sign. */
import { expect, test } from 'vitest'
import { amountText, dayText } from './shown-text.ts'

test.each([
  [{ minor: 125_000n, currency: 'NOK' }, '1\u00a0250.00\u00a0NOK'],
  [{ minor: 99n, currency: 'NOK' }, '0.99\u00a0NOK'],
  [{ minor: 123_456_789_00n, currency: 'SEK' }, '123\u00a0456\u00a0789.00\u00a0SEK'],
  [{ minor: 1_000_000n, currency: 'JPY' }, '1\u00a0000\u00a0000\u00a0JPY'],
])('parts the thousands of an amount, and keeps every decimal: %o', (money, text) => {
  expect(amountText(money)).toBe(text)
})

test('writes the month of a day in letters', () => {
  expect(dayText(Temporal.PlainDate.from('2026-02-03'))).toBe('3 February 2026')
})
