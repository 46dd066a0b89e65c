/** Tests that preferences are read as RFC 7240 defines the header, and that nothing else is read as one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { preferencesIn } from './preferences.ts'

const asks = (prefer: string | readonly string[] | undefined) => preferencesIn(prefer).get('errors') === 'detailed'

test('a preference is read from any form of the header', () => {
  const headers = [
    'errors=detailed',
    'Errors=Detailed',
    'errors = detailed',
    'errors="detailed"',
    'errors="det\\ailed"',
    'errors=detailed; depth=2;x',
    'handling=strict, errors=detailed',
    'respond-async, wait=10,errors=detailed,,',
    ',errors=detailed',
    'foo="a, errors=simple", errors=detailed',
    'errors=detailed, errors=simple',
    ['handling=strict', 'errors=detailed'],
  ]
  expect(headers.filter((prefer) => !asks(prefer))).toEqual([])
})

test('other preferences, other values and malformed ones are not it', () => {
  const headers = [
    undefined,
    '',
    'errors',
    'errors=',
    'errors=""',
    'errors=simple',
    'errors=simple, errors=detailed',
    'errors, errors=detailed',
    'xerrors=detailed',
    'foo; errors=detailed',
    'foo="errors=detailed"',
    'foo="a, errors=detailed',
    'foo="\\", errors=detailed"',
    'errors=detailed x',
    'errors detailed',
    'errors="detailed',
    'return=minimal',
  ]
  expect(headers.filter(asks)).toEqual([])
})

test('any header is read, however long', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'a="\\,; \t') }), (prefer) => void preferencesIn(prefer)))
  for (const part of ['"\\', '"', ' ', 'errors ', 'a=', ',', ';', '\\']) {
    expect(asks(part.repeat(200_000))).toBe(false)
  }
})
