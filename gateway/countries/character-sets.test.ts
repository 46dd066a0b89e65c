/** Tests the supported characters of each country, and transliteration. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '../../data/test-vectors.json' with { type: 'json' }
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../banks/directory/validate-bank-profile.ts'
import {
  findCharacterUnsupportedIn,
  findCharacterUnsupportedInSepa,
  findUnsupportedCharacter,
  transliterate,
} from './character-sets.ts'

const countryByZone: Readonly<Record<string, string>> = {
  'Europe/Oslo': 'NO',
  'Europe/Stockholm': 'SE',
  'Europe/Copenhagen': 'DK',
  'Europe/Helsinki': 'FI',
}

describe('characters', () => {
  test.each(vectors.suites.sepaText)('validates $input for SEPA: $valid', ({ input, valid }) => {
    expect(findCharacterUnsupportedInSepa(input) === undefined).toBe(valid)
    expect(findCharacterUnsupportedIn('FI', input) === undefined).toBe(valid || /^[a-zåäö]+$/i.test(input))
  })

  test.each([
    ['NO', 'Ærlig Øl & Ångström, 50 % (é)!', undefined],
    ['NO', 'Æble ñ', 'ñ'],
    ['SE', 'Åkes Bröd & Kök, Café', undefined],
    ['SE', 'Ærlig', 'Æ'],
    ['DK', 'Rødgrød & Æbler på Ålborg', undefined],
    ['DK', 'Götheborg', 'ö'],
    ['FI', 'Mäkinen & Åström Öljy', '&'],
    ['FI', 'Mäkinen, Åström ja Öljy', undefined],
    ['FI', 'Ærlig', 'Æ'],
    ['constructor', 'å', 'å'],
  ])('in %s finds in %s the unsupported character %s', (country, text, character) => {
    expect(findCharacterUnsupportedIn(country, text)?.character).toBe(character)
  })

  test.each([
    ['NO', 'Blåbær & Co', '[a-zA-Z0-9 ]', 'å', 3],
    ['NO', 'ñandu æ', '[a-zæ ]', 'ñ', 1],
    ['FI', '/Saimaa_', '[a-zA-Z/ ]', '/', 1],
    ['SE', 'Ölands Ærlighet', '[a-zA-ZÖÆ ]', 'Æ', 8],
  ])('in %s finds in %s at a bank of %s the character %s at %i', (country, text, bankClass, character, position) => {
    expect(findCharacterUnsupportedIn(country, text, bankClass)).toEqual({ character, position })
  })

  test('of every bank profile are supported in its country', async () => {
    const profiles = [...(await readBankProfiles(BANK_PROFILES_FOLDER)).values()]
    for (const { name, timeZone, constraints } of profiles) {
      const country = countryByZone[timeZone] ?? ''
      const taken = Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).filter(
        (text) =>
          text !== '/' &&
          findUnsupportedCharacter(text, constraints.validInformationFieldCharactersPattern) === undefined,
      )
      const strange = taken.filter((text) => findCharacterUnsupportedIn(country, text) !== undefined)
      expect([name, taken.length > 70, strange]).toEqual([name, true, []])
    }
  })

  test.each([
    ['/abc', 1],
    ['abc//d', 5],
    ['abc/', 4],
    [' /abc', 2],
    ['abc/ ', 4],
    ['a_b/', 2],
    ['a//b_', 3],
  ])('reports the first unsupported character of %s at position %i', (text, position) => {
    expect(findCharacterUnsupportedInSepa(text)?.position).toBe(position)
  })
})

describe('transliteration', () => {
  test('has two letters for Nordic and German ones, and removes other accents', () => {
    expect(transliterate('Ærlig Øl & Ångström, Café Müller, Ñandú')).toBe(
      'AErlig OEl + AAngstroem, Cafe Mueller, Nandu',
    )
    expect(transliterate('A\u030angstrom')).toBe('AAngstrom')
  })

  test('changes nothing that SEPA supports, and turns Nordic texts into supported ones', () => {
    const sepa = fc.stringMatching(/^[a-zA-Z0-9 ?:().,'+-]{0,40}$/)
    const nordic = fc.stringMatching(/^[a-zA-Z0-9 æøåäöüéÆØÅÄÖÜÉ&?:().,'+-]{0,40}$/)
    fc.assert(
      fc.property(sepa, (text) => {
        expect(transliterate(text)).toBe(text)
      }),
    )
    fc.assert(
      fc.property(nordic, (text) => {
        expect(findCharacterUnsupportedInSepa(transliterate(text))).toBeUndefined()
      }),
    )
  })

  test.each([
    ['O’Brien ‘n’ “Søn” „Sohn“ «fils» ″', "O'Brien 'n' 'Soen' 'Sohn' 'fils' '"],
    ['2024–2025 — 5 − 3 ‑ ‐', '2024-2025 - 5 - 3 - -'],
    ['50 € og 20\u00a0£', '50 EUR og 20 GBP'],
    ['Oﬃce ½ № 5… ２０\u2003²', 'Office 1/2 No 5... 20 2'],
    ['Ǽrø Ǿl ẞ Łódź', 'AEroe OEl SS Lodz'],
    ['Gr\u00adu\u200bs\ufeff', 'Grus'],
  ])('writes what is customary in documents, as %o', (text, written) => {
    expect(transliterate(text)).toBe(written)
    expect(findCharacterUnsupportedInSepa(written)).toBeUndefined()
  })

  test('leaves what it cannot convert for the validation to report', () => {
    expect(transliterate('50 ¤ 中 _ @ \n')).toBe('50 ¤ 中 _ @ \n')
  })
})
