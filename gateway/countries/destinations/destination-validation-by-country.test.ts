/** Tests for every country that its examples are accepted, and that each invalid field has the right error. */
import { describe, expect, test } from 'vitest'
import { currencyScale } from '../../platform/money.ts'
import { validDestination, validLocalDestination } from '../../testing/payments/valid-destination.ts'
import { isCountryCode } from '../bic.ts'
import { isInformationRequired } from './additional-information-validation.ts'
import type { Destination, DestinationFault, DestinationPart, InformationType } from './destination.ts'
import { destinationErrors, destinationWarnings } from './destination-validation.ts'
import { type CountryRequirements, listedCountries, requirementsOf } from './requirements-table.ts'

const isCountryBlocked = (code: string) =>
  listedCountries.some(({ country, supported }) => country === code && !supported)

const payable = listedCountries.flatMap(({ country }) => requirementsOf(country) ?? [])
const rows = payable.map((requirements) => [requirements.country, requirements] as const)
const withIban = rows.filter(([, { iban }]) => iban !== undefined)
const withLocal = rows.flatMap(([country, requirements]) => {
  const destination = validLocalDestination(requirements)
  return destination === undefined ? [] : [[country, requirements, destination] as const]
})

/** The errors found, without their texts. */
function foundIn(destination: Destination): readonly (readonly [DestinationPart, DestinationFault])[] {
  return destinationErrors(destination).map(({ part, fault }) => [part, fault])
}

function withAccount(destination: Destination, account: Partial<Destination['account']>): Destination {
  return { ...destination, account: { ...destination.account, ...account } }
}

/** Any other digit in its place invalidates a number that has check digits. */
function withLastDigitChanged(number: string): string {
  return number.replace(/[0-9](?=[^0-9]*$)/, (digit) => String((Number(digit) + 1) % 10))
}

describe('the table', () => {
  test('contains at least the 60 countries most paid to, each once, by ISO codes and currencies', () => {
    expect(payable.length).toBeGreaterThanOrEqual(98)
    expect(new Set(listedCountries.map(({ country }) => country)).size).toBe(listedCountries.length)
    expect(listedCountries.filter(({ country }) => !isCountryCode(country))).toEqual([])
    const currencies = payable.flatMap((requirements) => requirements.currencies)
    expect(currencies.filter((currency) => currencyScale(currency) === undefined)).toEqual([])
  })

  test('has an account, town and country of each country, and its sources', () => {
    for (const [country, requirements] of rows) {
      expect(requirements.iban ?? requirements.local, country).toBeDefined()
      // Since November 2026 payment systems require these two in an address (SWIFT CBPR+, SEPA).
      expect(requirements.address, country).toEqual(expect.arrayContaining(['city', 'country']))
      expect(requirements.sources.length, country).toBeGreaterThan(0)
    }
  })
})

describe('a valid destination', () => {
  test('is accepted in every country and currency, without a warning', () => {
    for (const [country, requirements] of rows) {
      for (const currency of requirements.currencies) {
        const destination = validDestination(requirements, currency)
        expect([destinationErrors(destination), destinationWarnings(destination)], country).toEqual([[], []])
      }
    }
  })

  test('is accepted with the country’s account number', () => {
    for (const [country, , destination] of withLocal) {
      expect([destinationErrors(destination), destinationWarnings(destination)], country).toEqual([[], []])
    }
  })

  test('is accepted when the IBAN is given as the account number', () => {
    for (const [country, requirements] of withIban) {
      const { account, ...rest } = validDestination(requirements)
      expect(foundIn({ ...rest, account: { bban: account.iban ?? '', bic: account.bic } }), country).toEqual([])
    }
  })
})

describe('an invalid IBAN', () => {
  test('of any country is rejected: check digits, length, another country', () => {
    for (const [country, requirements] of withIban) {
      const sound = validDestination(requirements)
      const iban = sound.account.iban ?? ''
      for (const broken of [withLastDigitChanged(iban.slice(0, 4)) + iban.slice(4), `${iban}0`, iban.slice(0, -1)]) {
        expect(foundIn(withAccount(sound, { iban: broken })), country).toContainEqual([
          'iban',
          { kind: 'iban-malformed' },
        ])
      }
      const elsewhere = iban.startsWith('DE') ? 'FR1420041010050500013M02606' : 'DE89370400440532013000'
      expect(foundIn(withAccount(sound, { iban: elsewhere })), country).toEqual([['bic', { kind: 'bic-mismatch' }]])
    }
  })

  test('is rejected, and so is a missing one: its accounts are paid by IBAN', () => {
    for (const [country, requirements] of withIban.filter(([, { local }]) => local === undefined)) {
      const { iban: _iban, ...account } = validDestination(requirements).account
      expect(foundIn({ ...validDestination(requirements), account: { ...account, bban: '12' } }), country).toEqual([
        ['bban', { kind: 'iban-missing' }],
      ])
    }
  })

  test('is any IBAN for a bank in a country that has none', () => {
    for (const [country, , { account, ...rest }] of withLocal.filter(([, { iban }]) => iban === undefined)) {
      const iban = 'DE89370400440532013000'
      const found = foundIn({ ...rest, account: { iban, bic: account.bic } })
      expect(found[0], country).toEqual(['iban', { kind: 'iban-not-taken' }])
    }
  })
})

describe('an invalid account number of the country', () => {
  test('is rejected', () => {
    for (const [country, , destination] of withLocal) {
      for (const bban of ['?', '12345678901234567890123456789012345678901234567890123']) {
        expect(foundIn(withAccount(destination, { bban })), country).toEqual([['bban', { kind: 'account-malformed' }]])
      }
    }
  })

  test('includes one with a wrong check digit', () => {
    for (const [country, , destination] of withLocal.filter(
      ([, { local }]) => local?.check !== undefined && local.check !== 'CCI',
    )) {
      const bban = withCheckedDigitChanged(destination.account.bban ?? '')
      expect(foundIn(withAccount(destination, { bban })), country).toEqual([['bban', { kind: 'account-malformed' }]])
    }
  })

  test('includes a missing one', () => {
    for (const [country, requirements] of rows) {
      const { bic } = validDestination(requirements).account
      const found = foundIn({ ...validDestination(requirements), account: { bic } })
      expect(found, country).toContainEqual(['bban', { kind: 'account-missing' }])
    }
  })
})

/** In New Zealand the suffix does not count; elsewhere the last digit does. */
function withCheckedDigitChanged(number: string): string {
  return number.length === 15
    ? withLastDigitChanged(number.slice(0, 13)) + number.slice(13)
    : withLastDigitChanged(number)
}

describe('an invalid clearing code', () => {
  const withCode = withLocal.filter(([, { clearingCode }]) => clearingCode !== undefined)

  test('is rejected', () => {
    for (const [country, , destination] of withCode) {
      const broken = withAccount(destination, { clearingCode: '?' })
      expect(foundIn(broken), country).toEqual([['clearingCode', { kind: 'clearing-code-malformed' }]])
    }
  })

  test('is rejected, also when it is required and missing', () => {
    for (const [country, { clearingCode }, { account, ...rest }] of withCode) {
      const { clearingCode: _reported, ...without } = account
      const needed = clearingCode?.required !== 'never'
      expect(foundIn({ ...rest, account: without }), country).toEqual(
        needed ? [['clearingCode', { kind: 'clearing-code-missing' }]] : [],
      )
    }
  })
})

describe('an invalid BIC', () => {
  test('is rejected: malformed, or of another country', () => {
    for (const [country, requirements] of rows) {
      const sound = validDestination(requirements)
      expect(foundIn(withAccount(sound, { bic: 'HAVN' })), country).toContainEqual(['bic', { kind: 'bic-malformed' }])
      const elsewhere = withAccount(sound, { bic: 'HAVNKP2X' })
      expect(foundIn(elsewhere), country).toContainEqual(['bic', { kind: 'country-unsupported', country: 'KP' }])
      expect(isCountryBlocked(country), country).toBe(false)
    }
  })
})

describe('an invalid address', () => {
  test('is rejected: a missing or blank field, a malformed post code', () => {
    for (const [country, requirements] of rows) {
      const sound = validDestination(requirements)
      for (const member of requirements.address.filter((one) => one !== 'country')) {
        for (const blank of [undefined, '', '  ']) {
          const broken = { ...sound, address: { ...sound.address, [member]: blank } }
          expect(foundIn(broken), country).toEqual([[`address.${member}`, { kind: 'address-missing', member }]])
        }
      }
      const odd = foundIn({ ...sound, address: { ...sound.address, postCode: '!' } })
      const malformed = ['address.postCode', { kind: 'address-malformed', member: 'postCode' }]
      expect(odd, country).toEqual(requirements.postCode === undefined ? [] : [malformed])
    }
  })
})

describe('an unsupported currency', () => {
  test('is rejected', () => {
    for (const [country, requirements] of rows) {
      const currency = requirements.currencies.includes('XAF') ? 'XOF' : 'XAF'
      expect(foundIn({ ...validDestination(requirements), currency }), country).toContainEqual([
        'currency',
        { kind: 'currency-not-accepted', accepted: requirements.currencies },
      ])
    }
  })
})

describe('additional information that a country requires', () => {
  const demanding = rows.flatMap(([country, requirements]) =>
    (['TaxCode', 'Reason', 'Purpose'] as const).flatMap((type) =>
      requirements.currencies
        .filter((currency) => isInformationRequired(type, { currency }, requirements))
        .slice(0, 1)
        .map((currency) => [country, type, currency, requirements] as const),
    ),
  )

  test('is required by as many countries as the table says', () => {
    const count = (type: InformationType) => demanding.filter(([, one]) => one === type).length
    expect([count('TaxCode'), count('Reason'), count('Purpose')]).toEqual([9, 13, 20])
  })

  test('is rejected when it is missing', () => {
    for (const [country, type, currency, requirements] of demanding) {
      const sound = validDestination(requirements, currency)
      const additionalInformation = sound.additionalInformation.filter((reported) => reported.type !== type)
      expect(foundIn({ ...sound, additionalInformation }), `${country} ${type}`).toEqual([
        ['additionalInformation', { kind: 'information-missing', type }],
      ])
    }
  })

  test('is rejected when it is invalid or repeated', () => {
    for (const [country, type, currency, requirements] of demanding) {
      const sound = validDestination(requirements, currency)
      const others = sound.additionalInformation.filter((reported) => reported.type !== type)
      const own = sound.additionalInformation.filter((reported) => reported.type === type)
      const malformed = { ...sound, additionalInformation: [...others, { type, value: '¤' }] }
      const place = { part: 'additionalInformation', index: others.length }
      expect(destinationErrors(malformed), `${country} ${type}`).toMatchObject([
        { ...place, fault: { kind: 'information-malformed', type } },
      ])
      const twice = { ...sound, additionalInformation: [...others, ...own, ...own] }
      expect(destinationErrors(twice), `${country} ${type}`).toMatchObject([
        { part: 'additionalInformation', index: others.length + 1, fault: { kind: 'information-twice', type } },
      ])
    }
  })
})

describe('an unsupported country', () => {
  test.each(['RU', 'BY', 'IR', 'KP', 'SY', 'CU', 'AF'])(
    '%s is rejected, as the country of the receiver and of the bank',
    (country) => {
      const german = validDestination(requirementsOf('DE') ?? never())
      const fault = { kind: 'country-unsupported', country }
      expect(isCountryBlocked(country)).toBe(true)
      expect(foundIn({ ...german, address: { ...german.address, country } })).toEqual([['address.country', fault]])
      expect(foundIn({ ...german, account: { bban: '123', bic: `HAVN${country}2X` } })).toEqual([['bic', fault]])
    },
  )

  test('is also one that is unknown', () => {
    const german = validDestination(requirementsOf('DE') ?? never())
    expect(foundIn({ ...german, address: { ...german.address, country: 'VE' } })).toEqual([
      ['address.country', { kind: 'country-unsupported', country: 'VE' }],
    ])
    expect([isCountryBlocked('VE'), requirementsOf('VE'), requirementsOf('constructor')]).toEqual([
      false,
      undefined,
      undefined,
    ])
  })
})

function never(): CountryRequirements {
  throw new Error('The table lacks a country that this test is about')
}
