/** Tests that reference codes are found in texts as payers and banks change them, and fit into banks' messages. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BankConstraints, BankProfile } from '../../banks/connector/bank-profile.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { newReferenceCode, referenceCodesIn, referenceCodeUnsupportedReason } from './reference-code.ts'

const CODE = /^HVN[0-9A-HJKMNP-TV-Z]{9}$/
const code = fc.constant(null).map(() => newReferenceCode())
/** Nothing in it could start another code. */
const around = fc.string({ maxLength: 20 }).filter((text) => !/[hvn]/i.test(text))

test('codes have one format, and no two are the same', () => {
  const codes = Array.from({ length: 10_000 }, newReferenceCode)
  expect(codes.every((each) => CODE.test(each))).toBe(true)
  expect(new Set(codes).size).toBe(codes.length)
})

test('a code is found whatever is written around it, in lower case, and with spaces anywhere', () => {
  const spaced = fc.tuple(code, fc.array(fc.constantFrom('', ' ', '-', '\n'), { minLength: 12, maxLength: 12 }))
  fc.assert(
    fc.property(spaced, around, fc.boolean(), ([written, gaps], before, isSmall) => {
      const loose = [...written].map((character, index) => character + (gaps[index] ?? '')).join('')
      const text = `${before} ${isSmall ? loose.toLowerCase() : loose}`
      expect(referenceCodesIn(text)).toEqual([written])
    }),
  )
})

test('letters that are mistaken for digits count as those digits', () => {
  expect(referenceCodesIn('HVN0O1IL2345')).toEqual(['HVN001112345'])
})

test.each(['', 'HVN', 'HVN12345678', 'HVN12345678U0', 'Invoice 20455', 'HVN!!!!!!!!!!'])('%s contains none', (text) => {
  expect(referenceCodesIn(text)).toEqual([])
})

test('several codes in one text are all found, each once', () => {
  const [one, other] = ['HVN012345678', 'HVNZZZZZZZZZ']
  expect(referenceCodesIn(`${one}. ${other}.`)).toEqual(expect.arrayContaining([one, other]))
})

test('a code of an earlier release, which has one character more, is matched before its prefix', () => {
  expect(referenceCodesIn('HVN0123456789')).toEqual(['HVN0123456789', 'HVN012345678'])
})

describe('at a bank', () => {
  const profileWith = (profile: BankProfile, changes: Partial<BankConstraints>) => ({
    name: 'Testbanken',
    profile: { ...profile, constraints: { ...profile.constraints, ...changes } },
  })

  test('with payments, the code fits into the message that funds an exchange, for every profile', async () => {
    const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
    const paying = [...profiles.values()].filter(({ products }) => products.includes('PAYMENT_DOMESTIC'))
    expect(paying).not.toHaveLength(0)
    expect(
      paying.map((profile) => [profile.name, referenceCodeUnsupportedReason({ name: 'Testbanken', profile })]),
    ).toEqual(paying.map(({ name }) => [name, undefined]))
  })

  test.each([
    [
      { maxUnstructuredRemittanceInfoLengthToOtherBanks: 11 },
      'a reference code of 12 characters; Testbanken accepts at most 11',
    ],
    [{ validInformationFieldCharactersPattern: '[A-Z ]' }, 'of letters and digits, which Testbanken does not accept'],
  ])('with %j it does not fit, and that is reported', async (changes, reason) => {
    const profile = (await readBankProfiles(BANK_PROFILES_FOLDER)).get('swedbank')
    expect(profile && referenceCodeUnsupportedReason(profileWith(profile, changes))).toContain(reason)
  })
})
