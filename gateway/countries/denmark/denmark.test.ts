/** Tests Danish account numbers, payment forms and CVR numbers with published vectors. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import { bankOf, bbanOf, checkAccountNumber, ibanOf } from '../account-number.ts'
import type { Reference } from '../country.ts'
import { checkOrganisationNumber, checkReference } from '../served-countries.ts'
import { fikParts } from './fik.ts'

const { dkAccount, fik, fikId, fikLine, cvr } = vectors.suites

describe('account numbers', () => {
  test.each(dkAccount)('makes $iban from $input', ({ input, iban }) => {
    expect(ibanOf('DK', input) ?? null).toBe(iban)
  })

  test('pads the account number to ten digits, in every printed form', () => {
    const written = ['0040 440116243', '0040-440116243', '0040440116243', '0040 0440 116 243', '0040 0440 1162 43']
    for (const text of written) {
      expect(checkAccountNumber('DK', text)).toEqual({ ok: true, bban: '00400440116243' })
    }
  })

  test.each([
    ['1234', 'has 4 digits; a Danish one has 4 of registration number and 1 to 10 of account number'],
    ['123456789012345', 'has 15 digits; a Danish one has 4 of registration number and 1 to 10 of account number'],
    ['0040A440116243', 'contains characters other than digits'],
    ['40-440116243', 'begins with 40, where a registration number has four digits, leading zeros included'],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(checkAccountNumber('DK', text)).toEqual({ ok: false, reason })
  })

  test('only warns about a registration number that the table does not contain', () => {
    expect(checkAccountNumber('DK', '0001 1234567890')).toMatchObject({
      ok: true,
      warning: expect.stringContaining('0001'),
    })
  })

  test('finds the bank', () => {
    expect(bankOf('DK', '0040 440116243')?.bic).toBe('NDEADKKK')
    expect(bankOf('DK', '0001 1234567890')).toBeUndefined()
  })

  test('parses every number back from its IBAN', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{4,13}[1-9]$/), (text) => {
        expect(bbanOf(ibanOf('DK', text) ?? '')).toEqual(checkAccountNumber('DK', text))
      }),
    )
  })
})

/** The expected errors of the vectors, and our messages for them. */
const reported: Readonly<Record<string, RegExp>> = {
  'id check digit': /wrong check digit/,
  'id length': /must have a payment id/,
  creditor: /must have a (creditor|giro) number/,
  'message not allowed': /has a message/,
  'id not allowed': /has a payment id, which/,
  type: /card type 72/,
}

describe('FIK', () => {
  test.each(fik)('validates $type $id $creditor $message: $result', ({ type, id, creditor, message, result }) => {
    const parts: Reference = {
      type: 'fik',
      cardType: type,
      creditorNumber: creditor,
      ...(id === undefined ? {} : { paymentId: id }),
      ...(message === undefined ? {} : { message }),
    }
    const checked = checkReference('DK', parts)
    expect(checked.ok ? 'ok' : checked.reason).toMatch(reported[result] ?? /^ok$/)
  })

  test.each(fikLine)('parses the line $line', ({ line, parsed }) => {
    const { type, id, creditor } = parsed ?? {}
    const parts = { cardType: type, creditorNumber: creditor, ...(id === '' ? {} : { paymentId: id }) }
    expect(fikParts(line)).toEqual(parsed === null ? undefined : parts)
  })

  test.each(fikId)('accepts for type $type and digits $base only the payment id $result', ({ type, base, result }) => {
    const validate = (paymentId: string) =>
      checkReference('DK', { type: 'fik', cardType: type, paymentId, creditorNumber: '81234567' })
    const fitting = [...'0123456789'].map((digit) => validate(base + digit)).filter(({ ok }) => ok)
    expect(fitting).toEqual([{ ok: true, reference: `+${type}<${result}+81234567<`, checkMethod: 'Modulus10' }])
  })

  test('normalises both forms to the printed line, and keeps a printed line unchanged', () => {
    const line = '+71<000100017156728+81234567<'
    const stored = { ok: true, reference: line, checkMethod: 'Modulus10' }
    for (const value of [line, '+71<000100017156728 +81234567', '+71< 100017156728+81234567<']) {
      expect(checkReference('DK', { type: 'fik', value })).toEqual(stored)
    }
    expect(
      checkReference('DK', { type: 'fik', cardType: '71', paymentId: '100017156728', creditorNumber: '81234567' }),
    ).toEqual(stored)
    expect(checkReference('DK', { type: 'fik', value: '+73<+81234567<' })).toEqual({
      ok: true,
      reference: '+73<+81234567<',
      checkMethod: 'None',
    })
  })

  test.each([
    ['01', undefined, '1234567', true],
    ['04', '2150263480000023', '1234567', false],
    ['15', '2150263480000023', '1234567', false],
    ['71', '000100017156728', '81234567', false],
    ['73', undefined, '81234567', true],
    ['75', '0000001234567897', '81234567', true],
  ])('validates a message with card type %s: %s %s %s', (cardType, paymentId, creditorNumber, takes) => {
    const parts = { type: 'fik' as const, cardType, creditorNumber, ...(paymentId === undefined ? {} : { paymentId }) }
    expect(checkReference('DK', parts).ok).toBe(true)
    expect(checkReference('DK', { ...parts, message: 'Faktura 4711' }).ok).toBe(takes)
  })

  test('rejects a payment id of zeros, an invalid line, and references of other countries', () => {
    expect(checkReference('DK', { type: 'fik', value: '+71<000000000000000+81234567<' }).ok).toBe(false)
    expect(checkReference('DK', { type: 'fik', value: 'hello' }).ok).toBe(false)
    expect(checkReference('DK', '2345676').ok).toBe(false)
  })
})

describe('organisation numbers', () => {
  test.each(cvr)('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkOrganisationNumber('DK', input).ok).toBe(valid)
  })

  test.each(['25 99 21 80', 'DK25992180', 'DK-25992180'])('normalises %s to eight digits', (text) => {
    expect(checkOrganisationNumber('DK', text)).toEqual({ ok: true, organisationNumber: '25992180' })
  })
})
