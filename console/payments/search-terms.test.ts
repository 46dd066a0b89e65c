/** Tests how copied account numbers and amounts are read in the search for payments. */
import { expect, test } from 'vitest'
import { parseAccountEnding, parseAmountRange } from './search-terms.ts'

test.each([
  ['8601.11.17947', '86011117947'],
  ['8601\u00a011 17947', '86011117947'],
  ['5402–9681', '54029681'],
  ['no93 8601 1117\u200b 947', '86011117947'],
  ['SE35 5000 0000 0549 1000 0003', '54910000003'],
  ['DK5000400440116243', '00400440116243'],
  ['7947', '7947'],
  ['17947.0', undefined],
  ['794', undefined],
])('the account ending %o is %o', (text, ending) => {
  expect(parseAccountEnding(text)).toBe(ending)
})

test.each([
  ['1 250,50', { from: '1250.50', to: '1250.50' }],
  ['1.234,50', { from: '1234.50', to: '1234.50' }],
  ['1,234,567.5', { from: '1234567.5', to: '1234567.5' }],
  ['1.234.50', undefined],
  ['1\u00a0000 – 2\u202f000', { from: '1000', to: '2000' }],
  ['1000−2000', { from: '1000', to: '2000' }],
  ['2000-1000', undefined],
  ['1-2-3', undefined],
])('the amounts %o are %o', (text, range) => {
  expect(parseAmountRange(text)).toEqual(range)
})
