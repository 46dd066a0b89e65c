/** Shows that account numbers and national ids are redacted from a bank's text, and nothing else. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactAccountNumbers } from './bank-text.ts'

describe('redactAccountNumbers', () => {
  test.each([
    ['Account 86011117947 is blocked', 'Account … is blocked'],
    ['Konto 8601.11.17947 finnes ikke', 'Konto … finnes ikke'],
    ['Konto 8601 11 17947 finnes ikke', 'Konto … finnes ikke'],
    ['IBAN NO93 8601 1117 947 unknown', 'IBAN … unknown'],
    ['IBAN NO9386011117947 unknown', 'IBAN … unknown'],
    ['IBAN GB29NWBK60161331926819.', 'IBAN ….'],
    ['user 01815012345 may not pay', 'user … may not pay'],
    ['personnummer 811228-9874', 'personnummer …'],
    ['henkilötunnus 131052-308T', 'henkilötunnus …'],
    ['cpr 070761-4285', 'cpr …'],
    ['two: 86011117947, 12345678903', 'two: …, …'],
    ['line\nbreak\u0000', 'line break'],
  ])('turns %j into %j', (text, redacted) => {
    expect(redactAccountNumbers(text)).toBe(redacted)
  })

  test.each([
    'requestedExecutionDate 2026-12-01 is in the past',
    'creditorName: at most 70 characters',
    'Amount 1250.00 NOK exceeds the limit',
    'Error 4711 (KID_MISSING)',
    '',
  ])('leaves %j unchanged', (text) => {
    expect(redactAccountNumbers(text)).toBe(text)
  })

  test('leaves no run of eleven digits, however it is grouped', () => {
    const grouped = fc
      .array(fc.tuple(fc.stringMatching(/^[0-9]$/), fc.constantFrom('', ' ', '.', '-')), {
        minLength: 11,
        maxLength: 11,
      })
      .map((pairs) => pairs.map((pair) => pair.join('')).join(''))
      .filter((digits) => !/^\d{4}-\d{2}-\d{2}/.test(digits))
    fc.assert(
      fc.property(fc.string(), grouped, (text, digits) => {
        const left = redactAccountNumbers(`${text} account ${digits}`).replace(/[ .-]/g, '')
        expect(left).not.toContain(digits.replace(/[ .-]/g, ''))
      }),
    )
  })

  test('truncates what is no readable message', () => {
    expect(redactAccountNumbers('a'.repeat(10_000)).length).toBe(500)
    expect(redactAccountNumbers(`${'a'.repeat(499)}😀`)).toBe(`${'a'.repeat(499)}\ufffd`)
  })
})
