/** Guarantees that no filter parses a text that is too long or that PostgreSQL cannot store. */
import { expect, test } from 'vitest'
import { filterReader } from './filter-reader.ts'

test.each([
  ['amount', '1'.repeat(501)],
  ['amount', `0${' '.repeat(7_000)}-${' '.repeat(7_000)}x`],
  ['subject', 'a\0b'],
  ['subject', '\u0085a'],
])('the filter %s of %j is not parsed, and has an error', (name, text) => {
  const filters = filterReader(new URLSearchParams({ [name]: text }))
  const parse = () => expect.fail('parsed')
  expect(filters.read(name, parse, '')).toBeUndefined()
  expect(filters.errors.get(name)).toBe('Enter at most 500 characters, without control characters')
})

test.each(['0000-01-01', '0001-01-01', '2026-02-30'])('the day %s, which PostgreSQL may lack, has an error', (day) => {
  const filters = filterReader(new URLSearchParams({ from: day, to: '9999-12-31' }))
  expect(filters.period().createdFrom).toBeUndefined()
  expect([...filters.errors.keys()]).toEqual(['from'])
})

test('a filter of 500 characters is parsed', () => {
  const filters = filterReader(new URLSearchParams({ q: 'é'.repeat(500) }))
  expect(filters.read('q', (text) => text.length, '')).toBe(500)
  expect(filters.errors.size).toBe(0)
})

test.each([
  ['987654325', '987654325'],
  ['987\u00a0654\u202f325\u200b', '987654325'],
  ['556047–3521', '5560473521'],
  ['20774740', '2077474-0'],
  ['25 99 21 80', '25992180'],
  ['25992180', '25992180'],
  ['2077474 − 0', '2077474-0'],
  ['123', '123'],
  ['Nordlys', undefined],
])('the organisation number %o is %o', (text, number) => {
  expect(filterReader(new URLSearchParams({ company: text })).organisationNumber('company')).toBe(number)
})
