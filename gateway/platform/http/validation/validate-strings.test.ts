/** Shows which texts of a request are rejected, and at which paths they are reported. */
import { expect, test } from 'vitest'
import { findInvalidStrings } from './validate-strings.ts'

const MAX = 100
const pathsIn = async (value: unknown) => (await findInvalidStrings(value, MAX)).map(({ path }) => path)

test('texts with U+0000 and with lone surrogates are found wherever they are, in body order', async () => {
  const body = { a: 'x\0', b: [{ c: '\ud800', d: '\u{1f642}' }, 'y', null, 5, 'z\udc00'], e: 'sound' }
  expect(await findInvalidStrings(body, MAX, 'InvalidCharacters')).toMatchObject([
    { code: 'InvalidCharacters', path: '.a', reason: 'The field a contains the character U+0000' },
    {
      code: 'InvalidCharacters',
      path: '.b[0].c',
      reason: 'The field c contains a lone surrogate, which is not a valid character',
    },
    { code: 'InvalidCharacters', path: '.b[4]' },
  ])
  expect(await pathsIn('\0')).toEqual(['.'])
})

test('no more are returned than requested', async () => {
  expect(await pathsIn(Array.from({ length: 50_000 }, () => '\0'))).toHaveLength(MAX)
})

test('an error below an overlong name is reported at its parent', async () => {
  expect(await pathsIn({ a: { ['x'.repeat(100_000)]: { b: '\0', c: '\0' } } })).toEqual(['.a'])
})
