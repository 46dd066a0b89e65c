/** Tests special rules of destinations: territories, spellings, limits, foreign banks, normalisation. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomCases } from '../../../setup/random-cases.ts'
import { parseMoney } from '../../platform/money.ts'
import { anyCharacter } from '../../testing/any-character.ts'
import { validDestination, validLocalDestination } from '../../testing/payments/valid-destination.ts'
import { MESSAGE_PATTERN } from './additional-information-validation.ts'
import type { Destination } from './destination.ts'
import { destinationErrors, destinationWarnings } from './destination-validation.ts'
import { normaliseDestination } from './normalise-destination.ts'
import { type CountryRequirements, listedCountries, provenanceOf, requirementsOf } from './requirements-table.ts'

function known(country: string): CountryRequirements {
  const requirements = requirementsOf(country)
  if (requirements === undefined) {
    throw new Error(`Nothing is known of ${country}`)
  }
  return requirements
}

function kindsIn(destination: Destination): readonly string[] {
  return destinationErrors(destination).map(({ part, fault }) => `${part} ${fault.kind}`)
}

function at(country: string, account: Partial<Destination['account']>): Destination {
  const sound = validDestination(known(country))
  return { ...sound, account: { ...sound.account, ...account } }
}

describe('the creditor’s bank', () => {
  test.each([
    ['MC', 'MC5811222000010123456789030', 'BNPAFRPP'],
    ['FR', 'FR1420041010050500013M02606', 'BNPAGPGX'],
    ['JE', 'GB29NWBK60161331926819', 'NWBKJESX'],
    ['GB', 'GB29NWBK60161331926819', 'NWBKGGSX'],
  ])('in %s may have an IBAN and a BIC of one area: %s, %s', (country, iban, bic) => {
    expect(kindsIn(at(country, { iban, bic }))).toEqual([])
  })

  test('may have an IBAN of another country by the table of banks', () => {
    expect(kindsIn({ ...at('SE', { iban: 'SE4397100000097101234560', bic: 'LUNADK2B' }), currency: 'DKK' })).toEqual([])
    expect(kindsIn(at('DK', { iban: 'SE4550000000058398257466', bic: 'DABADKKK' }))).toEqual(['bic bic-mismatch'])
  })

  test('in another country than the creditor decides on account, currency and information', () => {
    const dubai = validDestination(known('AE'))
    const inSweden = { ...dubai, address: { ...dubai.address, country: 'SE', postCode: '111 20' } }
    expect(kindsIn(inSweden)).toEqual([])
    expect(kindsIn({ ...inSweden, additionalInformation: [] })).toEqual(['additionalInformation information-missing'])
    expect(kindsIn({ ...inSweden, address: { ...inSweden.address, postCode: '1' } })).toEqual([
      'address.postCode address-malformed',
    ])
  })

  test('causes a warning when the table has another one', () => {
    expect(destinationWarnings(at('NO', { bic: 'DNBANOKK' }))).toMatchObject([{ part: 'bic' }])
  })

  test('is that of the IBAN where the BIC is of another one, unless the creditor is there', () => {
    const german = validDestination(known('DE'))
    const elsewhere = { ...german, account: { ...german.account, bic: 'CHASUS33' } }
    expect(kindsIn(elsewhere)).toEqual(['bic bic-mismatch'])
    const american = { ...elsewhere, address: { ...german.address, country: 'US', postCode: '10001' }, currency: 'USD' }
    expect(kindsIn(american)).toEqual(['iban iban-not-taken', 'bic bic-mismatch'])
    expect(normaliseDestination(at('SE', { iban: 'SE4397100000097101234560', bic: 'LUNADK2B' })).bankCountry).toBe('SE')
  })

  test('with an invalid BIC is that of the IBAN', () => {
    const { account, ...rest } = validDestination(known('DE'))
    const broken = {
      ...rest,
      account: { ...account, bic: 'x' },
      address: { ...rest.address, country: 'US', postCode: '10001' },
    }
    expect(kindsIn(broken)).toEqual(['bic bic-malformed'])
  })
})

describe('a domestic account number of the Nordics', () => {
  test.each([
    ['NO', '8601.11.17947', 'NO9386011117947'],
    ['DK', '0040 0440116243', 'DK5000400440116243'],
    ['SE', '5439-10 240 39', 'SE'],
    ['SE', '8327-9,333953909', 'SE5280000832790333953909'],
    ['SE', '8327-9 100055434', 'SE6080000832790100055434'],
    ['FI', '123456-785', 'FI2112345600000785'],
  ])('in %s, %s, is accepted and converted to an IBAN', (country, bban, iban) => {
    const { account, ...rest } = validDestination(known(country))
    const destination = { ...rest, account: { bban, bic: account.bic } }
    expect(kindsIn(destination)).toEqual([])
    expect(normaliseDestination(destination).account).toMatchObject({ iban: expect.stringMatching(`^${iban}`) })
  })

  test('has the warning that the domestic rules have about it', () => {
    const { account, ...rest } = validDestination(known('SE'))
    const destination = { ...rest, account: { bban: '8327-9 100055434', bic: account.bic } }
    expect(destinationWarnings(destination)).toMatchObject([
      { part: 'bban', reason: expect.stringContaining('wrong check digit') },
    ])
  })

  test.each([
    ['NO', '86011117948'],
    ['SE', '5402-9681'],
    ['DE', '0532013000'],
  ])('in %s, %s, has no certain IBAN', (country, bban) => {
    const { account, ...rest } = validDestination(known(country))
    expect(kindsIn({ ...rest, account: { bban, bic: account.bic } })).toEqual(['bban iban-missing'])
  })
})

describe('a post code', () => {
  test.each([
    ['SE', '111 20'],
    ['SE', '11120'],
    ['SE', 'SE-111 20'],
    ['SE', 'S-111 20'],
    ['DK', 'DK 2100'],
    ['GB', 'sw1a 1aa'],
    ['GB', 'M1 1AE'],
    ['US', '10001-1234'],
    ['NL', '1012js'],
    ['LV', 'LV-1010'],
    ['HK', 'anything'],
  ])('of %s may be written %s', (country, postCode) => {
    const sound = validDestination(known(country))
    expect(kindsIn({ ...sound, address: { ...sound.address, postCode } })).toEqual([])
  })

  test.each([
    ['SE', 'DK-111 20'],
    ['SE', '1112'],
    ['US', '1234'],
    ['GB', '12345'],
    ['JE', 'GY1 1AA'],
    ['CA', 'D5H 2N2'],
  ])('of %s is not %s', (country, postCode) => {
    const sound = validDestination(known(country))
    expect(kindsIn({ ...sound, address: { ...sound.address, postCode } })).toEqual([
      'address.postCode address-malformed',
    ])
  })
})

describe('a purpose code', () => {
  test.each([
    ['10000000.00', 'TRY', false],
    ['10000000.01', 'TRY', true],
    ['10000000.01', 'USD', false],
  ])('is required in Türkiye above ten million lira only: %s %s: %s', (value, currency, isDemanded) => {
    const amount = parseMoney(value, currency)
    const sound = validDestination(known('TR'), currency)
    const destination = { ...sound, additionalInformation: [], ...(amount === undefined ? {} : { amount }) }
    expect(kindsIn(destination)).toEqual(isDemanded ? ['additionalInformation information-missing'] : [])
  })

  test('causes a warning where the list may be incomplete', () => {
    const destination = {
      ...validDestination(known('KW')),
      additionalInformation: [{ type: 'Purpose', value: 'ZZZZ' } as const],
    }
    expect(destinationErrors(destination)).toEqual([])
    expect(destinationWarnings(destination)).toMatchObject([{ part: 'additionalInformation', index: 0 }])
  })

  test('that a country does not use is not validated', () => {
    const additionalInformation = [{ type: 'Purpose', value: '¤' } as const, { type: 'TaxCode', value: '?' } as const]
    expect(kindsIn({ ...validDestination(known('DE')), additionalInformation })).toEqual([])
  })
})

describe('a message', () => {
  test.each(['Faktura fra Bjørn', 'Överföring & mer', "a/b-c?d:(e).,'+ f", 'x'.repeat(140)])(
    '%j is accepted',
    (message) => {
      expect(kindsIn({ ...validDestination(known('DE')), message })).toEqual([])
    },
  )

  test.each(['5 ¤', 'a//b', '/a', 'a/', 'x'.repeat(141), 'ø'.repeat(71), 'two\nlines', '  '])(
    '%j is rejected',
    (message) => {
      expect(kindsIn({ ...validDestination(known('DE')), message })).toEqual(['message message-malformed'])
    },
  )

  test('that matches the pattern shown to partners is accepted', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab Z9/-?:().,'+ø¤"), minLength: 1, maxLength: 20 }),
        (message) => {
          const matches = new RegExp(MESSAGE_PATTERN).test(message)
          const taken = kindsIn({ ...validDestination(known('DE')), message }).length === 0
          expect([message, matches && !taken]).toEqual([message, false])
          expect([message, taken && !matches && !/ø/.test(message)]).toEqual([message, false])
        },
      ),
      { numRuns: randomCases(2_000) },
    )
  })
})

describe('the stored form of a destination', () => {
  test('has no separators, and the purpose code as in the list', () => {
    const destination: Destination = {
      ...validDestination(known('IN')),
      account: { bban: '5010 0123 4567 89', bic: 'HDFCINBB', clearingCode: ' HDFC0000123' },
      additionalInformation: [
        { type: 'Purpose', value: ' GOODS ' },
        { type: 'Reason', value: ' Bjørn ' },
      ],
    }
    expect(kindsIn(destination)).toEqual([])
    expect(normaliseDestination(destination)).toEqual({
      bankCountry: 'IN',
      account: { bban: '50100123456789' },
      bic: 'HDFCINBB',
      clearingCode: 'HDFC0000123',
      purpose: 'goods',
      reason: 'Bjoern',
    })
  })

  test('has no purpose code and no tax code where the country uses none, with a warning', () => {
    const additionalInformation = [
      { type: 'Purpose', value: '😀 whatever' },
      { type: 'TaxCode', value: '\u0000' },
    ] as const
    const destination: Destination = { ...validDestination(known('DE')), additionalInformation }
    expect(kindsIn(destination)).toEqual([])
    expect(normaliseDestination(destination)).not.toHaveProperty('purpose')
    expect(normaliseDestination(destination)).not.toHaveProperty('taxCode')
    expect(destinationWarnings(destination)).toEqual([
      {
        part: 'additionalInformation',
        index: 0,
        reason: 'is a Purpose, which payments to Germany do not support; it is ignored',
      },
      {
        part: 'additionalInformation',
        index: 1,
        reason: 'is a TaxCode, which payments to Germany do not support; it is ignored',
      },
    ])
  })

  test('has the clearing code in its electronic form, and none together with an IBAN', () => {
    expect(normaliseDestination(validDestination(known('CA')))).toMatchObject({ clearingCode: '000410001' })
    expect(normaliseDestination(validDestination(known('AU')))).toMatchObject({ clearingCode: '062000' })
    const british = validLocalDestination(known('GB'))
    expect(british === undefined ? undefined : normaliseDestination(british)).toMatchObject({
      account: { bban: '31926819' },
      clearingCode: '601613',
    })
    expect(normaliseDestination(at('GB', { iban: 'gb29 nwbk 6016 1331 9268 19', clearingCode: '60-16-13' }))).toEqual({
      bankCountry: 'GB',
      account: { iban: 'GB29NWBK60161331926819' },
      bic: 'HAVNGB2X',
    })
  })

  test.each(
    listedCountries.flatMap(({ country }) => requirementsOf(country) ?? []).map((one) => [one.country, one] as const),
  )('of %s is valid, and normalising it again changes nothing', (_country, requirements) => {
    const destination = validDestination(requirements)
    const { account, bic, clearingCode, taxCode, reason, purpose } = normaliseDestination(destination)
    const reported = { TaxCode: taxCode, Reason: reason, Purpose: purpose }
    const again: Destination = {
      ...destination,
      account: { ...account, bic, ...(clearingCode === undefined ? {} : { clearingCode }) },
      additionalInformation: (['TaxCode', 'Reason', 'Purpose'] as const).flatMap((type) => {
        const value = reported[type]
        return value === undefined ? [] : [{ type, value }]
      }),
    }
    expect(kindsIn(again)).toEqual([])
    expect(normaliseDestination(again)).toEqual(normaliseDestination(destination))
  })
})

describe('territories', () => {
  test('follow the rules of another country, with post codes and IBANs of their own', () => {
    expect(requirementsOf('JE')).toMatchObject({
      name: 'Jersey',
      iban: known('GB').iban,
      currencies: known('GB').currencies,
    })
    expect(requirementsOf('FO')?.iban).toMatch(/^FO/)
    expect(known('GL').notes).toContain('As in Denmark.')
  })
})

describe('the list of sources', () => {
  test.each([
    ['DE', 'These requirements are sourced.'],
    ['OM', 'These requirements are sourced in part.'],
    ['UY', 'These requirements are not sourced: ask the provider before relying on them.'],
  ])('of %s starts with %s', (country, sentence) => {
    const [certainty, sources] = provenanceOf(known(country))
    expect(certainty).toBe(sentence)
    expect(sources).toMatch(/^Sources: .+\.$/)
  })
})

describe('any input', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.constantFrom('__proto__', 'constructor', 'DE89370400440532013000', '021000021', 'NO', 'x'.repeat(1_000)),
  )
  const country = fc.oneof(fc.constantFrom(...listedCountries.map((one) => one.country), 'VE', '__', '__proto__'), text)
  const bic = fc.oneof(
    country.map((code) => `HAVN${code}2X`),
    text,
  )
  const destinations: fc.Arbitrary<Destination> = fc.record({
    account: fc.record({ iban: text, bban: text, bic, clearingCode: text }, { requiredKeys: ['bic'] }),
    address: fc.record(
      { country, streetName: text, buildingNumber: text, city: text, postCode: text },
      { requiredKeys: ['country'] },
    ),
    currency: fc.oneof(fc.constantFrom('EUR', 'USD', 'TRY'), text),
    additionalInformation: fc.array(fc.record({ type: fc.constantFrom('TaxCode', 'Reason', 'Purpose'), value: text }), {
      maxLength: 4,
    }),
    message: text,
  })

  test('is validated deterministically, and throws nothing', () => {
    fc.assert(
      fc.property(destinations, (destination) => {
        const validationErrors = destinationErrors(destination)
        expect(destinationErrors(destination)).toEqual(validationErrors)
        expect(validationErrors.every(({ reason }) => reason !== '')).toBe(true)
        expect(() => [destinationWarnings(destination), normaliseDestination(destination)]).not.toThrow()
      }),
      { numRuns: randomCases(3_000) },
    )
  })
})
