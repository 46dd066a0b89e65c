/** Tests that data of the release have a date, and that old ones are listed. */
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeDatedData, listDatedData, listOldData } from './data-age.ts'

/** Fictitious data, choices and words of this project, tests, and rates, whose age is checked where they are used. */
const WITHOUT_DATE = [
  'bank-codes.json',
  'company-registry-sample.json',
  'currency-rules.json',
  'documented-interface.json',
  'ecb-rates.json',
  'sandbox-directory.json',
  'test-vectors.json',
]

test('data of others have the month of which they are', async () => {
  const files = (await readdir(new URL('../../data/', import.meta.url))).filter((file) => file.endsWith('.json'))
  const dated = [...new Set(listDatedData().map(({ file }) => file))]
  expect([...dated, ...WITHOUT_DATE].toSorted()).toEqual(files.toSorted())
})

test('data are old after 18 months', () => {
  const oldOn = (day: string) => listOldData(Temporal.PlainDate.from(day)).map(describeDatedData)
  const danish = 'Danish registration numbers (2024-07)'
  expect(oldOn('2026-01-31')).not.toContain(danish)
  expect(oldOn('2026-02-01')).toContain(danish)
  expect(oldOn('2027-09-30')).not.toContain('Norwegian bank codes (2026-03)')
  expect(oldOn('2027-10-01')).toContain('Norwegian bank codes (2026-03)')
  expect(oldOn('2010-11-01')).toEqual([])
})
