/** Tests which pairs of account numbers belong to the same bank. */
import { expect, test } from 'vitest'
import { areAtSameBank } from './account-number.ts'

test.each([
  ['NO', '80501100017', '80501200011', true],
  ['NO', '80501100017', '86011117947', false],
  ['NO', '12345678903', '55035395554', true],
  ['NO', '86011117947', '32074068323', false],
  ['SE', '54391024039', '59901000017', true],
  ['SE', '54391024039', '6000806967498', false],
  ['SE', '79901000017', '832790333953909', true],
  ['DK', '00400440116243', '00400440116244', true],
  ['DK', '59600001100011', '98390001100011', false],
  ['FI', '12345600000785', '10093000123458', true],
  ['FI', '12345600000785', '40550002000012', false],
  ['GB', '12345600000785', '12345600000785', false],
])('in %s %s and %s: %s', (country, one, other, expected) => {
  expect(areAtSameBank(country, one, other)).toBe(expected)
  expect(areAtSameBank(country, other, one)).toBe(expected)
})
