/** Tests what orders in each country are rejected for, what is accepted, and the warnings. */
import { describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import type { BankProfile } from '../../banks/connector/bank-profile.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { sampleBank } from '../../banks/testing/samples.ts'
import { parseDomesticPayment } from './parse-domestic-payment.ts'

const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
/** A Monday without holidays around it. */
const MONDAY = '2026-11-23T09:00'

type Country = 'NO' | 'SE' | 'DK' | 'FI'
type Changes = Record<string, unknown>

const profileByCountry = {
  NO: 'norwegian-redirect',
  SE: 'swedbank',
  DK: 'danish-redirect',
  FI: 'finnish-redirect',
} as const
const companyByCountry = { NO: '987654325', SE: '5599901005', DK: '99001100', FI: '9900110-9' } as const
const currencyByCountry = { NO: 'NOK', SE: 'SEK', DK: 'DKK', FI: 'EUR' } as const
const accountsByCountry = {
  NO: ['80501100017', '86011117947'],
  SE: ['5439-1024039', '6000-806967498'],
  DK: ['0040 440116243', '9839 0001100011'],
  FI: ['FI21 1234 5600 0007 85', '40550002000012'],
} as const

function bankIn(countryCode: Country, changes: Partial<BankProfile> = {}): Bank {
  const profile = profiles.get(profileByCountry[countryCode])
  if (profile === undefined) {
    throw new Error(`There is no profile ${profileByCountry[countryCode]}`)
  }
  const row = {
    bic: `TEST${countryCode}22`,
    name: 'Testbanken',
    connector: 'berlin-group',
    address: '',
    linkHosts: [],
    certificate: null,
  }
  return sampleBank({ ...row, countryCode, profile: { ...profile, ...changes } })
}

function orderIn(country: Country, changes: Partial<DomesticPayment> = {}): DomesticPayment {
  const [from, to] = accountsByCountry[country]
  return {
    metadata: { endToEndId: 'INV-1' },
    from: {
      account: { type: 'bban', bban: from },
      contactInformation: { name: 'Handel' },
      currency: currencyByCountry[country],
    },
    to: { account: { type: 'bban', bban: to }, contactInformation: { name: 'Leverans' } },
    amount: { amount: '100.00', currency: currencyByCountry[country] },
    dueDate: '2026-11-24',
    ...changes,
  }
}

const situation = (country: Country, now: string, changes: Partial<BankProfile> = {}) => ({
  bank: bankIn(country, changes),
  localNow: Temporal.PlainDateTime.from(now),
  organisationNumber: companyByCountry[country],
})
const validationErrors = (country: Country, changes: Changes = {}, profile: Partial<BankProfile> = {}, now = MONDAY) =>
  parseDomesticPayment(orderIn(country, changes), situation(country, now, profile), () => true).errors
const warnings = (country: Country, changes: Changes = {}, profile: Partial<BankProfile> = {}, now = MONDAY) =>
  parseDomesticPayment(orderIn(country, changes), situation(country, now, profile), () => true).instruction?.warnings ??
  []

const from = (country: Country, bban: string) => ({
  from: { ...orderIn(country).from, account: { type: 'bban', bban } },
})
const to = (bban: string, name = 'Leverans', address?: object) => ({
  to: { account: { type: 'bban', bban }, contactInformation: { name, ...(address === undefined ? {} : { address }) } },
})
const message = (value: string, more: object = {}) => ({ remittanceInformation: { type: 'message', value, ...more } })
const ocr = (value: string) => ({ remittanceInformation: { type: 'ocr', value } })
const fik = (parts: object) => ({ remittanceInformation: { type: 'fik', ...parts } })
const money = (amount: string, currency: string) => ({ amount: { amount, currency } })
const LINE_71 = '+71<000100017156728+81234567<'

describe.each(['NO', 'SE', 'DK', 'FI'] as const)('a valid order in %s', (country) => {
  test('is accepted without a warning', () => {
    expect(validationErrors(country)).toEqual([])
    expect(warnings(country)).toEqual([])
  })

  test('may name the company of the consent, but no other', () => {
    const naming = (organizationNumber: string) => ({ from: { ...orderIn(country).from, organizationNumber } })
    expect(validationErrors(country, naming(companyByCountry[country]))).toEqual([])
    expect(validationErrors(country, naming('000'))).toMatchObject([
      { code: 'InvalidRequest', path: '.from.organizationNumber' },
    ])
  })

  test('is rejected in a foreign currency', () => {
    const foreign = country === 'FI' ? 'SEK' : 'EUR'
    expect(validationErrors(country, money('1.00', foreign))).toMatchObject([
      { code: 'InvalidAmount', path: '.amount.currency' },
    ])
    expect(validationErrors(country, { from: { ...orderIn(country).from, currency: foreign } })).toMatchObject([
      { code: 'InvalidRequest', path: '.from.currency' },
    ])
  })

  test('is rejected for a creditor that is the debtor, in whatever format the number is written', () => {
    const [own] = accountsByCountry[country]
    for (const written of [own, own.replaceAll(' ', ''), ` ${own} `.trim()]) {
      expect(validationErrors(country, to(written))).toMatchObject([
        { code: 'InvalidAccountNumber', path: '.to.account.bban', reason: 'The account number is that of the sender' },
      ])
    }
  })
})

describe('an order is rejected', () => {
  test.each<[country: Country, what: string, changes: Changes, code: string, path: string, reason: string]>([
    [
      'SE',
      'a debtor with a wrong check digit',
      from('SE', '5439-1024038'),
      'InvalidBBAN',
      '.from.account.bban',
      'wrong check digit for SEB',
    ],
    ['SE', 'a debtor IBAN', from('SE', 'SE4450000000054391024039'), 'InvalidBBAN', '.from.account.bban', 'is an IBAN'],
    [
      'SE',
      'a Bankgiro number as debtor',
      from('SE', '5402-9681'),
      'InvalidBBAN',
      '.from.account.bban',
      'is a Bankgiro number; send the number of the bank account',
    ],
    ['DK', 'a debtor of four digits', from('DK', '1234'), 'InvalidBBAN', '.from.account.bban', 'has 4 digits'],
    [
      'FI',
      'a debtor with a wrong check digit',
      from('FI', '12345600000786'),
      'InvalidBBAN',
      '.from.account.bban',
      'wrong check digit',
    ],
    [
      'FI',
      'a debtor IBAN with a wrong check digit',
      from('FI', 'FI2212345600000785'),
      'InvalidBBAN',
      '.from.account.bban',
      'modulus 97',
    ],
    [
      'SE',
      'a Bankgiro number with a wrong check digit',
      to('5402-9682'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'is not a Bankgiro number',
    ],
    [
      'SE',
      'a Plusgiro number with a wrong check digit',
      to('12-3'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'is not a Plusgiro number',
    ],
    [
      'SE',
      'an unknown clearing number',
      to('1001-1234567'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'not the clearing number of a Swedish bank',
    ],
    [
      'SE',
      'a number without its clearing number',
      to('8009286249'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'write 3300 before it',
    ],
    [
      'DK',
      'the decimals of a spreadsheet (15511234567.0)',
      to('15511234567.0'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'has separators',
    ],
    [
      'DK',
      'the decimals of a spreadsheet (15511234567,0)',
      to('15511234567,0'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'has separators',
    ],
    [
      'DK',
      'the decimals of a spreadsheet (15511234567 0)',
      to('15511234567 0'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'has separators',
    ],
    [
      'SE',
      'the decimals of a spreadsheet (6240-10000046.0)',
      to('6240-10000046.0'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'has separators',
    ],
    [
      'SE',
      'the decimals of a spreadsheet (8327-9 1000000.0)',
      to('8327-9 1000000.0'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'has separators',
    ],
    [
      'SE',
      'the decimals of a spreadsheet (100008,00)',
      to('100008,00'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'has separators',
    ],
    [
      'NO',
      'the decimals of a spreadsheet (80504000013.0)',
      to('80504000013.0'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'has separators',
    ],
    [
      'NO',
      'the decimals of a spreadsheet (8.0504E+10)',
      to('8.0504E+10'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'contains',
    ],
    [
      'FI',
      'the decimals of a spreadsheet',
      to('123456-785.00'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'must be an IBAN',
    ],
    [
      'NO',
      'a debtor with decimals',
      from('NO', '80501100017.0'),
      'InvalidBBAN',
      '.from.account.bban',
      'has separators',
    ],
    ['DK', 'fifteen digits', to('123456789012345'), 'InvalidAccountNumber', '.to.account.bban', 'has 15 digits'],
    [
      'FI',
      'a foreign IBAN',
      to('SE4450000000054391024039'),
      'InvalidAccountNumber',
      '.to.account.bban',
      'is an IBAN of SE',
    ],
    ['NO', 'a Bankgiro number in Norway', to('5402-9681'), 'InvalidAccountNumber', '.to.account.bban', 'has 8 digits'],
    [
      'SE',
      'a name too long for the giro',
      to('5402-9681', 'x'.repeat(36)),
      'RecipientNameTooLong',
      '.to.contactInformation.name',
      'has 36 characters; Testbanken accepts at most 35',
    ],
    [
      'SE',
      'Æ in a name',
      to('5402-9681', 'Ærlighet'),
      'InvalidCharacters',
      '.to.contactInformation.name',
      'contains "Æ" (U+00C6) at position 1',
    ],
    [
      'DK',
      'ö in a name',
      to(accountsByCountry.DK[1], 'Götebo'),
      'InvalidCharacters',
      '.to.contactInformation.name',
      'contains "ö" (U+00F6) at position 2',
    ],
    [
      'FI',
      'ø in a name',
      to(accountsByCountry.FI[1], 'Sørensen'),
      'InvalidCharacters',
      '.to.contactInformation.name',
      'contains "ø" (U+00F8) at position 2',
    ],
    [
      'FI',
      'ä in an endToEndId',
      { metadata: { endToEndId: 'Määrä' } },
      'InvalidCharacters',
      '.metadata.endToEndId',
      'contains "ä" (U+00E4) at position 2',
    ],
    [
      'FI',
      'a slash at the start',
      { metadata: { endToEndId: '/INV' } },
      'InvalidCharacters',
      '.metadata.endToEndId',
      'contains "/" (U+002F) at position 1',
    ],
    ['FI', 'two slashes', message('a//b'), 'InvalidCharacters', '.remittanceInformation.value', 'at position 3'],
    [
      'NO',
      'an overlong street',
      to(accountsByCountry.NO[1], 'Granli', { streetName: 'x'.repeat(71) }),
      'InvalidRequest',
      '.to.contactInformation.address.streetName',
      'has 71 characters; banks accept at most 70',
    ],
    [
      'NO',
      'an overlong house number',
      to(accountsByCountry.NO[1], 'Granli', { buildingNumber: '1'.repeat(17) }),
      'InvalidRequest',
      '.to.contactInformation.address.buildingNumber',
      'banks accept at most 16',
    ],
    [
      'NO',
      'an overlong postal code',
      to(accountsByCountry.NO[1], 'Granli', { postCode: '1'.repeat(17) }),
      'InvalidRequest',
      '.to.contactInformation.address.postCode',
      'banks accept at most 16',
    ],
    [
      'NO',
      'an unsupported letter in a town',
      to(accountsByCountry.NO[1], 'Granli', { city: 'Łódź', country: 'NO' }),
      'InvalidCharacters',
      '.to.contactInformation.address.city',
      '"Ł"',
    ],
    [
      'NO',
      'an unknown country',
      to(accountsByCountry.NO[1], 'Granli', { country: 'QQ' }),
      'InvalidRequest',
      '.to.contactInformation.address.country',
      'QQ is not an ISO 3166-1 country code',
    ],
    [
      'SE',
      'a message longer than the bank’s limit',
      message('x'.repeat(36)),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'The message has 36 characters; Testbanken accepts at most 12 in payments to other banks',
    ],
    [
      'SE',
      'a message to another bank that only fits within one bank',
      message('Faktura 20455'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'The message has 13 characters; Testbanken accepts at most 12 in payments to other banks',
    ],
    [
      'SE',
      'a message within the bank that is too long',
      { ...from('SE', '7990-1000017'), ...to('8327-9 033 395 390-9'), ...message('x'.repeat(36)) },
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'The message has 36 characters; Testbanken accepts at most 35',
    ],
    [
      'SE',
      'a message to a Bankgiro number that is too long',
      { ...to('5402-9681'), ...message('x'.repeat(36)) },
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'The message has 36 characters; Testbanken accepts at most 35',
    ],
    [
      'NO',
      'a debtor reference that is too long',
      message('ok', { debtorReference: 'x'.repeat(21) }),
      'InvalidRemittanceInfo',
      '.remittanceInformation.debtorReference',
      'has 21 characters; banks of NO accept at most 20',
    ],
    [
      'NO',
      'an unsupported letter in the debtor reference',
      message('ok', { debtorReference: 'Łódź' }),
      'InvalidCharacters',
      '.remittanceInformation.debtorReference',
      '"Ł"',
    ],
    [
      'SE',
      'an OCR with a wrong check digit',
      { ...to('5402-9681'), ...ocr('1231') },
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'wrong check digit (modulus 10)',
    ],
    [
      'SE',
      'an OCR of letters',
      ocr('RF18539007547034'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'is not an OCR reference',
    ],
    [
      'FI',
      'a viitenumero with a wrong check digit',
      ocr('1234562'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'weights 7, 3, 1',
    ],
    [
      'FI',
      'an RF reference with wrong check digits',
      ocr('RF17539007547034'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'modulus 97',
    ],
    [
      'DK',
      'an OCR in Denmark',
      ocr('1230'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
      'a payment form is of type fik',
    ],
    [
      'NO',
      'a payment form in Norway',
      fik({ value: LINE_71 }),
      'InvalidRemittanceInfo',
      '.remittanceInformation',
      'not used in Norway',
    ],
    [
      'DK',
      'a form of another creditor',
      { ...to('81234568'), ...fik({ value: LINE_71 }) },
      'InvalidAccountNumber',
      '.to.account.bban',
      'is not 81234567, the creditor or giro number on the payment form',
    ],
    [
      'DK',
      'an account together with a form',
      fik({ value: LINE_71 }),
      'InvalidAccountNumber',
      '.to.account.bban',
      'is not 81234567',
    ],
    [
      'DK',
      'a form with a wrong check digit',
      { ...to('81234567'), ...fik({ value: '+71<000100017156723+81234567<' }) },
      'InvalidRemittanceInfo',
      '.remittanceInformation',
      'wrong check digit',
    ],
    [
      'DK',
      'a message on a form that does not support it',
      { ...to('81234567'), ...fik({ value: LINE_71, message: 'Faktura' }) },
      'InvalidRemittanceInfo',
      '.remittanceInformation',
      'has a message, which card type 71 does not support',
    ],
    [
      'DK',
      'an unsupported letter on a form',
      { ...to('81234567'), ...fik({ cardType: '73', creditorNumber: '81234567', message: 'Łódź' }) },
      'InvalidCharacters',
      '.remittanceInformation.message',
      '"Ł"',
    ],
    [
      'DK',
      'an overlong message on a form',
      { ...to('81234567'), ...fik({ cardType: '73', creditorNumber: '81234567', message: 'x'.repeat(141) }) },
      'InvalidRemittanceInfo',
      '.remittanceInformation.message',
      'has 141 characters',
    ],
    [
      'DK',
      'a line and parts that differ',
      { ...to('81234567'), ...fik({ value: LINE_71, cardType: '73', creditorNumber: '81234567' }) },
      'InvalidRemittanceInfo',
      '.remittanceInformation',
      'do not match',
    ],
    ['FI', 'three decimals', money('1.001', 'EUR'), 'InvalidAmount', '.amount.amount', 'EUR has 2 decimals at most'],
    [
      'FI',
      'more than SEPA supports',
      money('1000000000.00', 'EUR'),
      'InvalidAmount',
      '.amount.amount',
      'is above 999999999.99 EUR',
    ],
    [
      'NO',
      'more than NICS supports',
      money('25000000.01', 'NOK'),
      'InvalidAmount',
      '.amount.amount',
      'is above 25000000.00 NOK',
    ],
  ])('in %s for %s', (country, _what, changes, code, path, reason) => {
    expect(validationErrors(country, changes)).toEqual([{ code, path, reason: expect.stringContaining(reason) }])
  })

  test('for a rail that the bank does not support, naming the supported ones', () => {
    const { account } = bankIn('SE').profile.rails
    const reason = 'The account number is a Bankgiro number; Testbanken pays to accounts only'
    expect(validationErrors('SE', to('5402-9681'), { rails: { account } })).toEqual([
      { code: 'InvalidAccountNumber', path: '.to.account.bban', reason },
    ])
    expect(validationErrors('SE', to('5402-9681'), { rails: { account, plusgiro: account } })[0]?.reason).toContain(
      'pays to accounts, Plusgiro numbers only',
    )
    const form = { ...to('81234567'), ...fik({ value: LINE_71 }) }
    expect(validationErrors('DK', form, { rails: { account: bankIn('DK').profile.rails.account } })).toEqual([
      {
        code: 'InvalidAccountNumber',
        path: '.to.account.bban',
        reason: 'The account number is that of a payment form; Testbanken pays to accounts only',
      },
    ])
  })

  test('for exceeding more than one limit, naming the lower one', () => {
    const { account } = bankIn('SE').profile.rails
    const rails = { account, bankgiro: { ...account, amountMax: '1000.00' } }
    const limits = { rails, amountMax: { SEK: '5000.00' } }
    const reasonAt = (bban: string, text: string) =>
      validationErrors('SE', { ...to(bban), ...money(text, 'SEK') }, limits).map(({ reason }) => reason)
    expect(reasonAt('5402-9681', '1000.01')).toEqual([
      'is above 1000.00 SEK, the limit of Testbanken for a payment of this kind',
    ])
    expect(reasonAt('5402-9681', '1000.00')).toEqual([])
    expect(reasonAt('6000-806967498', '5000.00')).toEqual([])
    expect(reasonAt('6000-806967498', '5000.01')).toEqual([
      'is above 5000.00 SEK, the limit of Testbanken for one payment',
    ])
  })

  test('for all errors at once, when several fields are wrong', () => {
    const found = validationErrors('NO', {
      ...to('1', 'x'.repeat(71), { city: 'Łódź', country: 'QQ' }),
      ...message('Ł', { debtorReference: 'x'.repeat(21) }),
      dueDate: '2020-01-01',
    })
    expect(found.map(({ path }) => path)).toEqual([
      '.to.account.bban',
      '.to.contactInformation.name',
      '.to.contactInformation.address.city',
      '.to.contactInformation.address.country',
      '.dueDate',
      '.remittanceInformation.value',
      '.remittanceInformation.debtorReference',
    ])
  })

  test('only by its schema where remittance is malformed; other fields are still validated', () => {
    for (const remittanceInformation of [5, null, 'fik', { type: 'fik', value: 71 }, { type: 'fik', cardType: 71 }]) {
      const order = orderIn('DK', { ...to('1'), remittanceInformation } as Changes)
      const { errors } = parseDomesticPayment(
        order,
        situation('DK', MONDAY),
        (path) => path !== '.remittanceInformation',
      )
      expect(errors).toMatchObject([{ path: '.to.account.bban' }])
    }
  })
})

describe('an order is accepted', () => {
  test.each<[country: Country, what: string, changes: Changes]>([
    ['NO', 'with a short KID', ocr('18')],
    ['NO', 'with a KID that ends in a hyphen', ocr('1000005-')],
    ['SE', 'to a Bankgiro number with its OCR', { ...to('5402-9681'), ...ocr('1230') }],
    ['SE', 'to a Bankgiro number as Swedbank writes it', to('BG 5402-9681')],
    ['SE', 'to a Plusgiro number', to('90 20 03-3')],
    ['SE', 'to a genuine account whose check digit is wrong', to('8201-6 914357963-1')],
    ['SE', 'to a Bankgiro number with the longest name', to('5402-9681', 'Å'.repeat(35))],
    ['SE', 'to an account with a longer name', to('6000-806967498', 'Å'.repeat(70))],
    ['DK', 'with a printed form', { ...to('81234567'), ...fik({ value: LINE_71 }) }],
    [
      'DK',
      'with the parts of a form, with spaces',
      { ...to('8123 4567'), ...fik({ cardType: '71', paymentId: '100017156728', creditorNumber: '81234567' }) },
    ],
    [
      'DK',
      'with a line and the same parts',
      {
        ...to('81234567'),
        ...fik({ value: LINE_71, cardType: '71', paymentId: '100017156728', creditorNumber: '81234567' }),
      },
    ],
    [
      'DK',
      'with a giro form of seven digits',
      { ...to('01234567'), ...fik({ cardType: '04', paymentId: '2150263480000023', creditorNumber: '1234567' }) },
    ],
    [
      'DK',
      'with a message on a form',
      { ...to('81234567'), ...fik({ cardType: '73', creditorNumber: '81234567', message: 'Faktura 4711' }) },
    ],
    ['DK', 'to a registration number that is missing from the table', to('0001 1234567890')],
    ['FI', 'to the old printed form', to('100930-123458')],
    ['FI', 'to an IBAN in small letters', to('fi14 1009 3000 1234 58')],
    ['FI', 'with an RF reference', ocr('RF18 5390 0754 7034')],
    ['SE', 'with as long a message as goes to other banks', message('x'.repeat(12))],
    [
      'SE',
      'with a message of the maximum length within the bank',
      { ...from('SE', '7990-1000017'), ...to('8327-9 033 395 390-9'), ...message('x'.repeat(35)) },
    ],
    ['SE', 'with as long a message as a Bankgiro carries', { ...to('5402-9681'), ...message('x'.repeat(35)) }],
    ['NO', 'with an own text', message('Faktura 1', { debtorReference: 'x'.repeat(20) })],
    ['FI', 'with an own text as long as SEPA takes', message('Lasku 1', { debtorReference: 'x'.repeat(35) })],
    [
      'NO',
      'with an address',
      to(accountsByCountry.NO[1], 'Granli', {
        streetName: 'Ås vei',
        buildingNumber: '1 B',
        postCode: '0459',
        city: 'Ås',
        country: 'NO',
      }),
    ],
    ['FI', 'of the maximum that SEPA supports', money('999999999.99', 'EUR')],
  ])('in %s %s', (country, _what, changes) => {
    expect(validationErrors(country, changes)).toEqual([])
  })
})

describe('due dates', () => {
  test.each<
    [
      what: string,
      country: Country,
      changes: Changes,
      profile: Partial<BankProfile>,
      now: string,
      reason: string | undefined,
    ]
  >([
    ['yesterday', 'NO', { dueDate: '2026-11-22' }, {}, MONDAY, 'is in the past; today is 2026-11-23'],
    ['today, a minute before midnight', 'NO', { dueDate: '2026-11-23' }, {}, '2026-11-23T23:59', undefined],
    ['the last due date that the bank accepts', 'NO', { dueDate: '2027-11-23' }, {}, MONDAY, undefined],
    [
      'a day later',
      'NO',
      { dueDate: '2027-11-24' },
      {},
      MONDAY,
      'is after 2027-11-23, the last due date that Testbanken accepts',
    ],
    ['29 February of a common year', 'NO', { dueDate: '2027-02-29' }, {}, MONDAY, 'is not a valid date'],
    ['a Saturday', 'SE', { dueDate: '2026-11-28' }, {}, MONDAY, undefined],
    [
      'a Saturday at a bank that rejects it',
      'DK',
      { dueDate: '2026-11-28' },
      { closedDays: 'rejected' },
      MONDAY,
      'is not a bank day, and Testbanken does not accept it as due date; the next one is 2026-11-30',
    ],
    [
      '5 June at a bank that rejects it',
      'DK',
      { dueDate: '2026-06-05' },
      { closedDays: 'rejected' },
      '2026-05-20T09:00',
      'is not a bank day, and Testbanken does not accept it as due date; the next one is 2026-06-08',
    ],
    [
      'a salary on a Saturday',
      'SE',
      { dueDate: '2026-06-20', purposeCode: 'SALA' },
      {},
      '2026-06-01T09:00',
      'is not a bank day; salaries are paid before it, on 2026-06-18',
    ],
    [
      'a salary on New Year’s Eve',
      'DK',
      { dueDate: '2026-12-31', purposeCode: 'SALA' },
      {},
      '2026-12-01T09:00',
      'is not a bank day; salaries are paid before it, on 2026-12-30',
    ],
    [
      'a salary on this Saturday',
      'NO',
      { dueDate: '2026-11-28', purposeCode: 'SALA' },
      {},
      '2026-11-28T09:00',
      'is not a bank day, and the previous bank day has passed; the next one is 2026-11-30',
    ],
    ['a salary on a bank day', 'NO', { dueDate: '2026-11-30', purposeCode: 'SALA' }, {}, MONDAY, undefined],
  ])('%s (%s)', (_what, country, changes, profile, now, reason) => {
    const found = reason === undefined ? [] : [{ code: 'InvalidDueDate', path: '.dueDate', reason }]
    expect(validationErrors(country, changes, profile, now)).toEqual(found)
  })
})

describe('warnings', () => {
  const about = (day: string, reason: string) => ({
    code: 'DueDateMoved',
    path: '.dueDate',
    expectedExecutionDate: day,
    reason,
  })

  test.each<[what: string, country: Country, changes: Changes, now: string, expected: object]>([
    [
      'a number without a hyphen that may be of either giro',
      'SE',
      to('54029681'),
      MONDAY,
      {
        code: 'AccountNumberUnverified',
        path: '.to.account.bban',
        reason: 'The account number is treated as the Bankgiro number 5402-9681; write a Plusgiro number as 1234567-8',
      },
    ],
    [
      'an account with a wrong check digit',
      'SE',
      to('8201-6 914357963-1'),
      MONDAY,
      {
        code: 'AccountNumberUnverified',
        path: '.to.account.bban',
        reason: expect.stringContaining('as some old accounts of the bank have'),
      },
    ],
    [
      'an IBAN whose inner check digit is wrong',
      'FI',
      to('FI85 7981 2345 6789 00'),
      MONDAY,
      {
        code: 'AccountNumberUnverified',
        path: '.to.account.bban',
        reason: expect.stringContaining('inner check digit'),
      },
    ],
    [
      'a registration number that is missing from the table',
      'DK',
      to('0001 1234567890'),
      MONDAY,
      {
        code: 'AccountNumberUnverified',
        path: '.to.account.bban',
        reason: expect.stringContaining('begins with 0001'),
      },
    ],
    [
      'a short KID',
      'NO',
      ocr('18'),
      MONDAY,
      {
        code: 'ReferenceUnverified',
        path: '.remittanceInformation',
        reason: 'The reference has 2 characters; many banks require at least four',
      },
    ],
    [
      'a Sunday',
      'NO',
      { dueDate: '2026-11-29' },
      MONDAY,
      about('2026-11-30', 'dueDate is not a bank day; Testbanken executes the payment on 2026-11-30'),
    ],
    [
      'today after the cut-off',
      'NO',
      { dueDate: '2026-11-23' },
      '2026-11-23T14:01',
      about(
        '2026-11-24',
        'Payments for 2026-11-23 must be signed by 2026-11-23 at 14:00; signed now, Testbanken executes the payment on 2026-11-24',
      ),
    ],
    [
      'a Bankgiro payment today, whose cut-off was the evening before',
      'SE',
      { ...to('5402-9681'), dueDate: '2026-11-23' },
      MONDAY,
      about(
        '2026-11-24',
        'Payments for 2026-11-23 must be signed by 2026-11-20 at 19:00; signed now, Testbanken executes the payment on 2026-11-24',
      ),
    ],
  ])('of %s (%s)', (_what, country, changes, now, expected) => {
    expect(validationErrors(country, changes, {}, now)).toEqual([])
    expect(warnings(country, changes, {}, now)).toEqual([expected])
  })

  test('are not given for money that stays within its bank, on any day and at any hour', () => {
    const inside = { ...to('80501200011'), dueDate: '2026-11-28' }
    expect(warnings('NO', inside, {}, '2026-11-28T23:00')).toEqual([])
    expect(warnings('NO', { ...inside, ...to('86011117947') }, {}, '2026-11-28T23:00')).toMatchObject([
      { code: 'DueDateMoved', expectedExecutionDate: '2026-11-30' },
    ])
  })

  test('are not given for a payment to an account today before the cut-off', () => {
    expect(warnings('SE', { dueDate: '2026-11-23' }, {}, '2026-11-23T14:00')).toEqual([])
  })

  test('come together, in the order of the fields in the API', () => {
    const found = warnings('NO', { ...ocr('18'), dueDate: '2026-11-29' })
    expect(found.map(({ code }) => code)).toEqual(['DueDateMoved', 'ReferenceUnverified'])
  })
})

describe('a field that is not sent to the bank', () => {
  const endToEndId = (id: string) => ({ metadata: { endToEndId: id } })
  const ID = `FÄ½-${'x'.repeat(60)}`

  test('is not rejected for its characters: an endToEndId in Norway', () => {
    expect(validationErrors('NO', endToEndId('½'))).toEqual([])
    expect(validationErrors('DK', endToEndId('½'))).toMatchObject([
      { code: 'InvalidCharacters', path: '.metadata.endToEndId' },
    ])
  })

  test('is not rejected for its characters: the end of a long endToEndId, which is truncated', () => {
    expect(validationErrors('DK', endToEndId(`${'x'.repeat(60)}½`))).toEqual([])
    expect(validationErrors('DK', endToEndId(ID))).toMatchObject([{ code: 'InvalidCharacters' }])
  })

  test('is not rejected for its characters: addresses, except that of the creditor in Norway', () => {
    const address = { streetName: '½', city: 'Oslo', country: 'NO' }
    const sender = { from: { ...orderIn('NO').from, contactInformation: { name: 'Handel', address } } }
    expect(validationErrors('NO', sender)).toEqual([])
    expect(validationErrors('SE', to('6000-806967498', 'Leverans', address))).toEqual([])
    expect(validationErrors('NO', to('86011117947', 'Leverans', address))).toMatchObject([
      { code: 'InvalidCharacters', path: '.to.contactInformation.address.streetName' },
    ])
  })

  test('causes a warning: an address without town or country, where the bank would be sent it', () => {
    const warned = (country: Country, address: object) =>
      warnings(country, to(accountsByCountry[country][1], 'Leverans', address)).map(({ reason, path }) => [
        reason,
        path,
      ])
    const notSent = 'The address is not sent to the bank, which requires city and country'
    for (const address of [{ country: 'NO' }, { city: 'Oslo' }, { streetName: '½', city: ' ', country: 'NO' }]) {
      expect(warned('NO', address)).toEqual([[notSent, '.to.contactInformation.address']])
      expect(validationErrors('NO', to(accountsByCountry.NO[1], 'Leverans', address))).toEqual([])
      expect(warned('SE', address)).toEqual([])
    }
    for (const address of [{}, { city: ' ' }, { city: 'Oslo', country: 'NO' }]) {
      expect(warned('NO', address)).toEqual([])
    }
  })

  test('causes a warning: a purpose in Sweden, a text of the debtor in Norway', () => {
    const reported = (country: Country, changes: Changes) =>
      warnings(country, changes).map(({ code, path }) => [code, path])
    const untold = (path: string) => [['NotCarriedByBank', path]]
    expect(reported('SE', { purposeCode: 'SUPP' })).toEqual(untold('.purposeCode'))
    expect(reported('NO', { purposeCode: 'SUPP' })).toEqual([])
    expect(reported('NO', message('Hei', { debtorReference: 'Leie' }))).toEqual(
      untold('.remittanceInformation.debtorReference'),
    )
    expect(reported('SE', message('Hej', { debtorReference: 'Hyra' }))).toEqual([])
  })
})
