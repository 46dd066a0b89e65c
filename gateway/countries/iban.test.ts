/** Tests validation of IBANs and BICs, and of pairs of them. */
import { describe, expect, test } from 'vitest'
import registry from '../../data/iban-registry.json' with { type: 'json' }
import vectors from '../../data/test-vectors.json' with { type: 'json' }
import { bbanOf } from './account-number.ts'
import { checkBic, checkBicOfIban, spellingsOfBic } from './bic.ts'
import { checkIban } from './iban.ts'
import { ibanCheckDigits } from './number-checks.ts'

const { iban, bic } = vectors.suites

describe('IBANs', () => {
  test.each(iban)('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkIban(input).ok).toBe(valid)
  })

  test.each(Object.values(registry.countries).flatMap((country) => ('example' in country ? [country.example] : [])))(
    'accepts the example %s of the registry',
    (example) => {
      expect(checkIban(example)).toMatchObject({ ok: true, iban: example })
    },
  )

  test.each([
    ['NO3986011117949', 'has a wrong check digit (modulus 11)'],
    ['FI0100000000000000', 'is not an IBAN: its account number consists of zeros'],
    ['SE7150000000054391024038', 'has a wrong check digit for SEB (clearing number 5439)'],
    ['SE2760000000000806967499', 'has a wrong check digit for Handelsbanken'],
    ['DE8937040044053201300', 'has 21 characters; an IBAN of DE has 22'],
    ['US12345678901234567890', 'is not an IBAN: US has no IBANs'],
    ['GB58123460161331926819', 'is not an IBAN: its account number does not have the format of GB'],
    ['GB28NWBK60161331926819', 'is not an IBAN: its check digits are wrong (modulus 97)'],
    ['NO', 'is not an IBAN: a country, two check digits, then letters and digits'],
  ])('reports what is wrong with %s', (text, reason) => {
    expect(checkIban(text)).toEqual({ ok: false, reason })
  })

  test('rejects check digits that are never issued, although they have the same remainder', () => {
    expect(checkIban('NO9786010002569').ok).toBe(true)
    expect(checkIban('NO0086010002569').ok).toBe(false)
  })

  test('removes spaces and accepts lower case', () => {
    expect(checkIban('no93 8601 1117 947')).toEqual({ ok: true, iban: 'NO9386011117947' })
  })

  test('only warns about a Swedish bank that the table does not contain', () => {
    const bban = '96500000096501234567'
    expect(checkIban(`SE${ibanCheckDigits('SE', bban)}${bban}`)).toMatchObject({
      ok: true,
      warning: expect.stringContaining('965'),
    })
  })

  test('returns account numbers of supported countries only', () => {
    expect(bbanOf('GB29NWBK60161331926819')).toEqual({
      ok: false,
      reason: 'is an IBAN of a country that is not served here (GB)',
    })
  })
})

describe('BICs', () => {
  test.each(bic)('validates $input as valid: $valid', ({ input, valid }) => {
    expect(checkBic(input).ok).toBe(valid)
  })

  test.each([
    ['dnba no kk', 'DNBANOKK', true],
    ['DNBANOKKXXX', 'DNBANOKK', true],
    ['dnbanokk', 'DNBANOKKXXX', true],
    ['DNBANOKK123', 'DNBANOKK', false],
    ['DNBANOKK', 'DNBANOK2', false],
  ])('%o is a spelling of the bank %s: %s', (text, listed, isSpelling) => {
    expect(spellingsOfBic(text).includes(listed)).toBe(isSpelling)
  })

  test('rejects a country that does not exist', () => {
    expect(checkBic('DNBAZZKK')).toEqual({ ok: false, reason: 'is not a BIC: ZZ is not a country code' })
  })
})

describe('an IBAN and a BIC', () => {
  test.each([
    ['NO9386011117947', 'DABANO22', 'the bank of the table'],
    ['NO9386011117947', 'DABANO22XXX', 'its head office'],
    ['GB29NWBK60161331926819', 'BARCGB22', 'a country without a table'],
    ['GB29NWBK60161331926819', 'BARCJESH', 'a Crown dependency'],
    ['FR1420041010050500013M02606', 'BREDMQMX', 'an overseas department'],
    ['SE4397100000097101234560', 'LUNADK2B', 'a foreign bank with Swedish accounts'],
  ])('match: %s and %s, %s', (ibanText, bicText) => {
    expect(checkBicOfIban(ibanText, bicText)).toEqual({ ok: true, bic: bicText })
  })

  test('do not match when their countries differ', () => {
    expect(checkBicOfIban('NO9386011117947', 'SWEDSESS')).toEqual({
      ok: false,
      reason: 'is of a bank in SE, while the IBAN is of NO',
    })
    expect(checkBicOfIban('SE4450000000054391024039', 'LUNADK2B').ok).toBe(false)
  })

  test('match with a warning when the table has another bank of the country', () => {
    expect(checkBicOfIban('NO9386011117947', 'NDEANOKK')).toMatchObject({
      ok: true,
      warning: expect.stringContaining('DABANO22'),
    })
  })

  test('are not compared when one of them is invalid', () => {
    expect(checkBicOfIban('NO9386011117948', 'DNBANOKK').ok).toBe(false)
    expect(checkBicOfIban('NO9386011117947', 'DNBA').ok).toBe(false)
  })
})
