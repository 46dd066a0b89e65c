/** Tests that preferences are read as RFC 7240 defines the header and nothing else as one, and which form `Accept` selects. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { negotiateMediaType, preferencesIn } from './preferences.ts'

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

test('the form of a response is the most welcome one, and JSON of those that are equally welcome', () => {
  const forms = { 'application/xml': 'A statement', 'text/csv': 'A table' }
  const formsByHeader = {
    'application/json': [
      undefined,
      '',
      '*/*',
      'application/json; charset=utf-8',
      'Application/JSON;odata="a, b;c";q=0.1',
      'text/html, image/gif, *; q=.2, */*; q=.2',
      'application/xml, text/xml, application/json, application/*+xml, application/*+json',
      'text/csv;q=0.9, application/json;charset=utf-8',
      'text/csv; q=0.5, application/json; charset=utf-8; q=0.9',
    ],
    'text/csv': [
      'text/csv;charset=utf-8;header=present',
      'text/csv, */*',
      'application/json;q=0.5, text/csv',
      'application/json; q=0, text/csv',
      'text/csv; header=present; q=0.9, application/json ; q=0.1',
    ],
    'application/xml': ['application/xml', 'text/html, application/xml;q=0.9, */*;q=0.8'],
  }
  for (const [form, headers] of Object.entries(formsByHeader)) {
    const selected = headers.map((accept) => negotiateMediaType(forms, accept === undefined ? {} : { accept }))
    expect(selected).toEqual(headers.map(() => form))
  }
  for (const accept of ['text/html', 'application/json;q=0', `text/html${';a="'.repeat(5_000)}`]) {
    expect(() => negotiateMediaType(forms, { accept })).toThrow(/Accept/)
  }
})
