/** Tests that every list of the command line has a message for an empty result. */
import { expect, test } from 'vitest'
import { tableOf } from './print-table.ts'

test('columns are as wide as their widest cell', () => {
  const table = tableOf(['bic', 'name'], [['FJORNO22', 'Fjordbanken']], 'The directory has no bank.')
  expect(table).toBe('BIC       NAME\nFJORNO22  Fjordbanken')
})

test('a list without a row says so in words, not by its headings alone', () => {
  expect(tableOf(['bic', 'name'], [], 'The directory has no bank.')).toBe('The directory has no bank.')
})
