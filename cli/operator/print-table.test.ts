/** Tests that every list of the command line has a message for an empty result. */
import { expect, test } from 'vitest'
import { tableOf } from './print-table.ts'

test('columns are as wide as their widest cell', () => {
  const table = tableOf(['bic', 'name'], [['FJORNO22', 'Fjordbanken']], 'The directory has no banks.')
  expect(table).toBe('BIC       NAME\nFJORNO22  Fjordbanken')
})

test('an empty list prints a message instead of headings', () => {
  expect(tableOf(['bic', 'name'], [], 'The directory has no banks.')).toBe('The directory has no banks.')
})
