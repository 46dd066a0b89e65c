/** Tests that a body with null fields or decomposed characters is read like the body without them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normaliseBody } from './json-body.ts'

function without(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(without)
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, without(member)]])),
      )
    : value
}

function normalised(body: unknown): unknown {
  for (const _turn of normaliseBody(body)) {
    // Other work may run here.
  }
  return body
}

test('every field that is null is removed, at any depth, and elements of lists stay', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const body: unknown = JSON.parse(JSON.stringify(value))
      const expected = without(body)
      expect(normalised(body)).toEqual(expected)
    }),
  )
})

test('BICs are in capital letters without separators, wherever they are', () => {
  const body = (bic: unknown) => ({ bic, to: [{ account: { bic } }], bics: 'ab-c' })
  expect(normalised(body(' dnba\u00a0no–kk\u200b'))).toEqual(body('DNBANOKK'))
  expect(normalised(body(7))).toEqual(body(7))
})

test('texts are in NFC, at any depth, except ids and URLs', () => {
  const [decomposed, composed] = ['A\u030ase \u{1f642}', '\u00c5se \u{1f642}']
  const body = {
    name: decomposed,
    list: [decomposed, [{ city: decomposed }]],
    endToEndId: decomposed,
    callbackUrl: decomposed,
  }
  expect(normalised(structuredClone(body))).toEqual({
    ...body,
    name: composed,
    list: [composed, [{ city: composed }]],
  })
  const named: unknown = JSON.parse(`{"__proto__":"${decomposed}"}`)
  expect(JSON.stringify(normalised(named))).toBe(`{"__proto__":"${composed}"}`)
})
