/** Tests where numbers may have separators, for every country and kind. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAccountNumber } from './account-number.ts'
import { checkLocalAccount } from './destinations/local-account.ts'
import { requirementsOf } from './destinations/requirements-table.ts'
import { checkIban } from './iban.ts'
import { checkOrganisationNumber, checkReference } from './served-countries.ts'

const SPACES = [' ', '\u00a0', '\u2009', '\u202f', '\u3000', '\t', '\u200b ', ' \u2060', '\ufeff ']
const DASHES = ['-', '\u2010', '\u2011', '–', '—', '−', '\ufe63', ' – ', '\u00ad-']
const POINTS = ['.', ',', '/', '\\', '·', ':', "'", '_', '٫', '．']
/** What spreadsheets, amounts and lists leave behind a number. */
const DECIMALS = POINTS.flatMap((point) => [
  `${point}0`,
  `${point}00`,
  `${point} 0`,
  ` ${point}0`,
  `${point}000`,
  point,
])

/** Each kind of number with the places where one space, and where one dash, may be; a single point never counts. */
const kinds: readonly (readonly [kind: string, check: Check, number: string, spaces: string, dashes: string])[] = [
  ['NO account', ofCountry('NO'), '86011117947', '8601 11 17947', '8601-11-17947'],
  ['SE account', ofCountry('SE'), '54391024039', '5439 1024039', '5439-1024039'],
  ['SE Handelsbanken', ofCountry('SE'), '624010000046', '6240 10000046', '6240-10000046'],
  ['SE Swedbank', ofCountry('SE'), '83270333953909', '8327 0333953909', '8327-0333953909'],
  ['SE unlisted bank', ofCountry('SE'), '90011234567', '9001 1234567', '9001-1234567'],
  ['SE personal account', ofCountry('SE'), '33008009286249', '3300 8009286249', '3300-8009286249'],
  ['SE Bankgiro', ofCountry('SE'), '54029681', '', '5402-9681|5402968-1'],
  ['SE Bankgiro of 7 digits', ofCountry('SE'), '2973675', '', '297-3675|297367-5'],
  ['SE Plusgiro', ofCountry('SE'), '100008', '', '10000-8'],
  ['DK account', ofCountry('DK'), '15511234567', '1551 1234567', '1551-1234567'],
  ['FI account', ofCountry('FI'), '12345600000785', '', '123456-00000785'],
  ['US account', ofDestination('US'), '1234567', '*', '*'],
  ['AU account', ofDestination('AU'), '12345678', '*', '*'],
  ['BR account', ofDestination('BR'), '00097954931', '*', '*'],
  ['NO organisation number', ofOrganisation('NO'), '923609016', '', ''],
  ['SE organisation number', ofOrganisation('SE'), '5560473521', '556047 3521', '556047-3521'],
  ['DK organisation number', ofOrganisation('DK'), '25992180', '2599 2180', ''],
  ['FI organisation number', ofOrganisation('FI'), '20774740', '', '2077474-0'],
  ['NO reference', ofReference('NO'), '1234567897', '*', ''],
  ['SE reference', ofReference('SE'), '1230', '*', ''],
  ['FI reference', ofReference('FI'), '1234561', '*', ''],
]

/** In how they are printed. */
const printedForms: readonly (readonly [check: Check, text: string, number: string])[] = [
  [ofCountry('NO'), '8601 11 17947', '86011117947'],
  [ofCountry('NO'), '8601-11-17947', '86011117947'],
  [ofCountry('NO'), '8601.11.17947', '86011117947'],
  [ofCountry('NO'), '8601 1117 947', '86011117947'],
  [ofCountry('SE'), '5402-9681', '5402-9681'],
  [ofCountry('SE'), 'BG 5402-9681', '5402-9681'],
  [ofCountry('SE'), 'bg:54029681', '5402-9681'],
  [ofCountry('SE'), '90 20 03-3', '902003-3'],
  [ofCountry('SE'), 'PG 90 2003-3', '902003-3'],
  [ofCountry('SE'), '5439 10 240 39', '54391024039'],
  [ofCountry('SE'), '5439-10 240 39', '54391024039'],
  [ofCountry('SE'), '5439.10.240.39', '54391024039'],
  [ofCountry('SE'), '6240-219 161 038', '6240219161038'],
  [ofCountry('SE'), '3300-800928-6249', '33008009286249'],
  [ofCountry('SE'), '3300 800928 6249', '33008009286249'],
  [ofCountry('SE'), '8327-9 33395390-9', '832790333953909'],
  [ofCountry('SE'), '8327-9, 33 395 390-9', '832790333953909'],
  [ofCountry('SE'), '8327-9,33395390-9', '832790333953909'],
  [ofCountry('SE'), '8327 9 33 395 390-9', '832790333953909'],
  [ofCountry('SE'), '83279-333953909', '832790333953909'],
  [ofCountry('DK'), '0040-440 116 243', '00400440116243'],
  [ofCountry('DK'), '0040 0440 1162 43', '00400440116243'],
  [ofCountry('FI'), '123456-785', '12345600000785'],
  [ofCountry('FI'), '1234 5600 0007 85', '12345600000785'],
  [ofCountry('FI'), 'FI21 1234 5600 0007 85', '12345600000785'],
  [iban, 'no93 8601 1117 947', 'NO9386011117947'],
  [iban, 'NO93 8601 11 17947', 'NO9386011117947'],
  [iban, 'GB29 NWBK 601613 31926819', 'GB29NWBK60161331926819'],
  [ofOrganisation('NO'), 'NO 923 609 016 MVA', '923609016'],
  [ofOrganisation('NO'), '923.609.016', '923609016'],
  [ofOrganisation('SE'), 'SE 556047-3521 01', '5560473521'],
  [ofOrganisation('DK'), '25 99 21 80', '25992180'],
  [ofOrganisation('FI'), 'FI 2077474-0', '2077474-0'],
  [ofReference('NO'), '1000 00\u00a05-', '1000005-'],
  [ofReference('NO'), '1000005–', '1000005-'],
  [ofReference('FI'), 'RF18 5390 0754 7034', 'RF18539007547034'],
]

/** The normalised number; undefined if the text is invalid. */
type Check = (text: string) => string | undefined

function ofCountry(country: string): Check {
  return (text) => {
    const checked = checkAccountNumber(country, text)
    return checked.ok ? checked.bban : undefined
  }
}

function iban(text: string): string | undefined {
  const checked = checkIban(text)
  return checked.ok ? checked.iban : undefined
}

function ofDestination(country: string): Check {
  return (text) => {
    const local = requirementsOf(country)?.local
    const checked = local === undefined ? undefined : checkLocalAccount(text, local)
    return checked?.ok === true ? checked.bban : undefined
  }
}

function ofOrganisation(country: string): Check {
  return (text) => {
    const checked = checkOrganisationNumber(country, text)
    return checked.ok ? checked.organisationNumber : undefined
  }
}

function ofReference(country: string): Check {
  return (text) => {
    const checked = checkReference(country, text)
    return checked.ok ? checked.reference : undefined
  }
}

const references = [
  ['NO', '1234567897'],
  ['SE', '1230'],
  ['FI', '1232'],
  ['FI', 'RF18539007547034'],
] as const

/** The digits with separators between some of them. */
const separated = (digits: string, separators: readonly string[]) =>
  fc
    .array(fc.oneof(fc.constant(''), fc.constantFrom(...separators)), { minLength: digits.length - 1 })
    .map((between) => [...digits].map((digit, index) => `${index === 0 ? '' : between[index - 1]}${digit}`).join(''))

/** Bankgiro and Plusgiro differ in the place of the hyphen. */
function digitsOf(number: string | undefined): string | undefined {
  return number?.replaceAll('-', '')
}

/** Every separator with every place. */
function pairs(separators: readonly string[], places: number): readonly (readonly [string, number])[] {
  return separators.flatMap((separator) => Array.from({ length: places }, (_, place) => [separator, place] as const))
}

function withSeparator(text: string, separator: string, place: number): string {
  return text.slice(0, place) + separator + text.slice(place)
}

/** Whether a printed form has a separator after so many of its digits; alternatives are separated by `|`. */
function hasPlace(printed: string, place: number): boolean {
  return printed
    .split('|')
    .some((form) => [...form.matchAll(/[ -]/g)].some(({ index }, before) => index - before === place))
}

describe('separators', () => {
  test.each(kinds)(
    'of one place are accepted where a number is printed with one: %s',
    (_kind, check, number, spaces, dashes) => {
      const plain = check(number)
      expect(plain).toBeDefined()
      for (const [separators, printed] of [
        [SPACES, spaces],
        [DASHES, dashes],
        [POINTS, ''],
      ] as const) {
        for (const [separator, place] of pairs(separators, number.length - 1)) {
          const text = withSeparator(number, separator, place + 1)
          const isPrinted = printed === '*' || hasPlace(printed, place + 1)
          expect([text, digitsOf(check(text))]).toEqual([text, isPrinted ? digitsOf(plain) : undefined])
        }
      }
    },
  )

  test.each(kinds)('before decimals are rejected: %s', (_kind, check, number, ...printed) => {
    for (const text of [number, ...printed.flatMap((forms) => forms.split('|').filter((form) => form.length > 1))]) {
      for (const decimals of DECIMALS) {
        expect([text + decimals, check(text + decimals)]).toEqual([text + decimals, undefined])
      }
      const exponent = `${text.slice(0, 1)}.${text.slice(1)}E+${text.length}`
      expect([exponent, check(exponent)]).toEqual([exponent, undefined])
    }
  })

  test.each(printedForms)(
    'of a printed form are accepted, and before decimals rejected: %o %s',
    (check, text, number) => {
      expect(check(text)).toBe(number)
      for (const space of SPACES) {
        expect(check(text.replaceAll(' ', space))).toBe(number)
      }
      for (const dash of DASHES) {
        expect(check(text.replaceAll('-', dash))).toBe(number)
      }
      for (const decimals of [...DECIMALS, ' 0', ' 00', 'E+0', '٠', '０']) {
        expect([text + decimals, check(text + decimals)]).toEqual([text + decimals, undefined])
      }
      // A printed form with one more separator is another one, of the same digits, or none.
      for (const [separator, place] of pairs([' ', '-', ...POINTS], text.length - 1)) {
        expect([number, undefined]).toContain(check(withSeparator(text, separator, place + 1)))
      }
    },
  )

  test.each(kinds)('do not make digits of other scripts digits: %s', (_kind, check, number) => {
    for (const zero of ['٠', '۰', '०', '０', '𝟎']) {
      const script = (zero.codePointAt(0) ?? 0) - 48
      const text = number.replace(/[0-9]/g, (digit) => String.fromCodePoint(digit.charCodeAt(0) + script))
      expect([check(text), check(number.slice(0, -1) + text.slice(-zero.length))]).toEqual([undefined, undefined])
    }
  })

  test.each(references)('that are spaces change nothing in a reference of %s: %s', (country, reference) => {
    const plain = checkReference(country, reference)
    expect(plain.ok).toBe(true)
    fc.assert(
      fc.property(separated(reference, SPACES), (text) => {
        expect(checkReference(country, text)).toEqual(plain)
      }),
    )
  })

  test('that are spaces change nothing in the parts of a payment form', () => {
    const parts = { type: 'fik', cardType: '71', paymentId: '000100017156728', creditorNumber: '81234567' } as const
    const printed = { ...parts, paymentId: '0001 0001 7156\u00a0728', creditorNumber: '8123 4567' }
    expect(checkReference('DK', printed)).toEqual(checkReference('DK', parts))
    expect(checkReference('DK', printed).ok).toBe(true)
  })
})
