/** Tests the validation rules of payrolls in each country, and the paths of their errors. */
import { describe, expect, test } from 'vitest'
import type { Bank } from '../../banks/connector/bank.ts'
import type { BankProfile } from '../../banks/connector/bank-profile.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { sampleBank } from '../../banks/testing/samples.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { VALIDATION_ERRORS_MAX } from '../../platform/http/validation/schema-validation.ts'
import { findInvalidStrings } from '../../platform/http/validation/validate-strings.ts'
import { collectValidationErrors, parsePayrollAt } from './validate-payroll.ts'

const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
/** A Monday without holidays around it. */
const MONDAY = '2026-11-23T09:00'

type Country = 'NO' | 'SE' | 'DK' | 'FI'
/** Fields that replace those of the sample, with any value. */
type Changes = Readonly<Record<string, unknown>>
type Limits = Partial<BankProfile['constraints']>

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

function situationIn(countryCode: Country, limits: Limits, now: string) {
  const profile = profiles.get(profileByCountry[countryCode])
  if (profile === undefined) {
    throw new Error(`There is no profile ${profileByCountry[countryCode]}`)
  }
  const constraints = { ...profile.constraints, maxPayrollSize: 10_000, ...limits }
  const row = {
    bic: `TEST${countryCode}22`,
    name: 'Testbanken',
    connector: 'berlin-group',
    address: '',
    linkHosts: [],
    certificate: null,
  }
  const bank: Bank = sampleBank({ ...row, countryCode, profile: { ...profile, constraints } })
  const localNow = Temporal.PlainDateTime.from(now)
  return { bank, localNow, organisationNumber: companyByCountry[countryCode] }
}

const payoutIn = (country: Country, number: number, changes: Changes = {}) => ({
  metadata: { endToEndId: `SAL-${number}` },
  name: 'Ingrid Solbakken',
  account: { bban: accountsByCountry[country][1] },
  amount: { amount: '31250.50', currency: currencyByCountry[country] },
  remittanceInformation: { type: 'message', value: 'November' },
  ...changes,
})

const payrollIn = (country: Country, transactions: readonly unknown[], changes: Changes = {}) => ({
  from: { account: { bban: accountsByCountry[country][0] }, name: 'Handel' },
  transactions,
  dueDate: '2026-11-24',
  purposeCode: 'SALA',
  ...changes,
})

/** Validates any value as a payroll, as it is after being sent: without undefined fields. */
async function validate(
  country: Country,
  payroll: unknown,
  {
    limits = {},
    shown = false,
    transactionsMax = 10_000,
  }: { readonly limits?: Limits; readonly shown?: boolean; readonly transactionsMax?: number } = {},
): Promise<readonly ValidationError[]> {
  const body = JSON.parse(JSON.stringify(payroll))
  const found = collectValidationErrors()
  const situation = { ...situationIn(country, limits, MONDAY), transactionsMax }
  const texts = await findInvalidStrings(body, VALIDATION_ERRORS_MAX, 'InvalidCharacters')
  await parsePayrollAt(found, '', body, { situation, isAccountOnConsent: async () => shown, texts })
  return found.listed(body)
}

const whole = async (changes: Changes, shown = false) =>
  validate('NO', payrollIn('NO', [payoutIn('NO', 1)], changes), { shown })

/** The errors of a payroll whose third of four transactions is changed, by their codes and paths below it. */
async function third(country: Country, changes: Changes): Promise<readonly (readonly string[])[]> {
  const payouts = [1, 2, 3, 4].map((n) => payoutIn(country, n, n === 3 ? changes : {}))
  const validationErrors = await validate(country, payrollIn(country, payouts))
  return validationErrors.map(({ code, path }) => [code, path.replace('.transactions[2]', '')])
}

describe.each(['NO', 'SE', 'DK', 'FI'] as const)('a simple payroll in %s', (country) => {
  test('passes', async () => {
    expect(await validate(country, payrollIn(country, [payoutIn(country, 1), payoutIn(country, 2)]))).toEqual([])
  })

  test('pays in the currency of the country only', async () => {
    expect(await third(country, { amount: { amount: '1.00', currency: 'USD' } })).toEqual([
      ['InvalidAmount', '.amount.currency'],
    ])
  })
})

describe('the fields of a payroll', () => {
  test.each<[string, Changes, string, string]>([
    [
      'an invalid debtor account',
      { from: { account: { bban: '80501100018' }, name: 'Handel' } },
      'InvalidBBAN',
      '.from.account.bban',
    ],
    [
      'a debtor account without digits',
      { from: { account: { bban: '' }, name: 'Handel' } },
      'InvalidBBAN',
      '.from.account.bban',
    ],
    [
      'an overlong name',
      { from: { account: { bban: '80501100017' }, name: 'x'.repeat(141) } },
      'SenderNameTooLong',
      '.from.name',
    ],
    [
      'a name with unsupported characters',
      { from: { account: { bban: '80501100017' }, name: 'Handel €' } },
      'InvalidCharacters',
      '.from.name',
    ],
    [
      'another company',
      { from: { account: { bban: '80501100017' }, name: 'Handel', organizationNumber: '910000004' } },
      'InvalidRequest',
      '.from.organizationNumber',
    ],
    ['no transactions', { transactions: [] }, 'InvalidRequest', '.transactions'],
    ['transactions that are no list', { transactions: {} }, 'InvalidRequest', '.transactions'],
    ['a date in the past', { dueDate: '2026-11-20' }, 'InvalidDueDate', '.dueDate'],
    ['an invalid date', { dueDate: '2026-02-30' }, 'InvalidDueDate', '.dueDate'],
    ['a text as date', { dueDate: 'tomorrow' }, 'InvalidDueDate', '.dueDate'],
    ['another purpose', { purposeCode: 'SUPP' }, 'InvalidRequest', '.purposeCode'],
    ['no purpose', { purposeCode: undefined }, 'InvalidRequest', '.purposeCode'],
  ])('with %s are rejected at their path', async (_what, changes, code, path) => {
    expect((await whole(changes)).map((validationError) => [validationError.code, validationError.path])).toEqual([
      [code, path],
    ])
  })

  test.each<[unknown, string]>([
    [{ toString: 1 }, 'an object that has no text'],
    [null, 'null'],
    [['2026-11-24'], 'a list'],
  ])('with the due date %j, %s, are rejected once', async (dueDate) => {
    expect((await whole({ dueDate })).map(({ path }) => path)).toEqual(['.dueDate'])
  })

  test('with a closed day as due date are rejected with the bank day before it', async () => {
    const [validationError] = await whole({ dueDate: '2026-12-25' })
    expect(validationError).toMatchObject({ code: 'InvalidDueDate', path: '.dueDate' })
    expect(validationError?.reason).toBe('is not a bank day; salaries are paid before it, on 2026-12-23')
  })

  test.each([['SUPP'], [undefined]])('with a closed day and the purpose %j have both errors', async (purposeCode) => {
    const paths = (await whole({ dueDate: '2026-12-25', purposeCode })).map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['.dueDate', '.purposeCode'])
  })

  test('with an account that the bank reports on the consent are not rejected for its number', async () => {
    const changes = { from: { account: { bban: '80501100018' }, name: 'Handel' } }
    expect(await whole(changes, true)).toEqual([])
  })

  test.each([
    ['the bank’s', { limits: { maxPayrollSize: 2 } }, 'Testbanken accepts at most 2'],
    ['the gateway’s', { transactionsMax: 2 }, 'this gateway accepts at most 2'],
    ['the gateway’s alone', { limits: { maxPayrollSize: null }, transactionsMax: 2 }, 'this gateway accepts at most 2'],
  ])(
    'over %s limit are rejected with the limit, and none of its transactions is read',
    async (_whose, limit, whose) => {
      const payouts = [payoutIn('NO', 1), {}, {}]
      expect(await validate('NO', payrollIn('NO', payouts), limit)).toEqual([
        { code: 'InvalidRequest', path: '.transactions', reason: `has 3 transactions; ${whose} in one payroll` },
      ])
    },
  )

  test.each([[null], [5], ['x'], [[]]])('that are %j are rejected once', async (nothing) => {
    expect((await validate('NO', nothing)).map(({ path }) => path)).toEqual(['.'])
  })

  test('without a debtor account do not prevent the validation of the transactions', async () => {
    const payroll = payrollIn('NO', [payoutIn('NO', 1, { name: '' })], { from: undefined })
    expect((await validate('NO', payroll)).map(({ path }) => path)).toEqual(['.from', '.transactions[0].name'])
  })
})

describe('a payroll transaction', () => {
  test.each<[string, Changes, readonly (readonly [string, string])[]]>([
    [
      'no fields',
      { metadata: undefined, name: undefined, account: undefined, amount: undefined, remittanceInformation: undefined },
      [
        ['InvalidRequest', '.metadata'],
        ['InvalidRequest', '.name'],
        ['InvalidRequest', '.account'],
        ['InvalidRequest', '.amount'],
        ['InvalidRemittanceInfo', '.remittanceInformation'],
      ],
    ],
    [
      'only an invalid account',
      { name: undefined, amount: undefined, account: { bban: '86011117948' } },
      [
        ['InvalidRequest', '.name'],
        ['InvalidRequest', '.amount'],
        ['InvalidAccountNumber', '.account.bban'],
      ],
    ],
    ['no id', { metadata: {} }, [['InvalidRequest', '.metadata.endToEndId']]],
    [
      'an id that cannot be stored',
      { metadata: { endToEndId: 'a\0' } },
      [['InvalidCharacters', '.metadata.endToEndId']],
    ],
    [
      'the id of another transaction',
      { metadata: { endToEndId: 'SAL-1' } },
      [['InvalidRequest', '.metadata.endToEndId']],
    ],
    ['no name', { name: ' ' }, [['InvalidRequest', '.name']]],
    ['an overlong name', { name: 'x'.repeat(141) }, [['RecipientNameTooLong', '.name']]],
    ['a name with unsupported characters', { name: 'Ingrid €' }, [['InvalidCharacters', '.name']]],
    ['a name of another type', { name: 5 }, [['InvalidRequest', '.name']]],
    ['an invalid account', { account: { bban: '86011117948' } }, [['InvalidAccountNumber', '.account.bban']]],
    ['an account without digits', { account: { bban: '' } }, [['InvalidAccountNumber', '.account.bban']]],
    ['an account that is a number', { account: { bban: 86011117947 } }, [['InvalidAccountNumber', '.account.bban']]],
    ['the debtor account', { account: { bban: '80501100017' } }, [['InvalidAccountNumber', '.account.bban']]],
    ['an amount of zero', { amount: { amount: '0.00', currency: 'NOK' } }, [['InvalidAmount', '.amount.amount']]],
    ['fractions of an øre', { amount: { amount: '1.005', currency: 'NOK' } }, [['InvalidAmount', '.amount.amount']]],
    ['a number as amount', { amount: { amount: 1, currency: 'NOK' } }, [['InvalidAmount', '.amount.amount']]],
    ['a negative amount', { amount: { amount: '-1.00', currency: 'NOK' } }, [['InvalidAmount', '.amount.amount']]],
    [
      'an overlong message',
      { remittanceInformation: { type: 'message', value: 'x'.repeat(141) } },
      [['InvalidRemittanceInfo', '.remittanceInformation.value']],
    ],
    [
      'a message with unsupported characters',
      { remittanceInformation: { type: 'message', value: '€' } },
      [['InvalidCharacters', '.remittanceInformation.value']],
    ],
    [
      'an empty message',
      { remittanceInformation: { type: 'message', value: '' } },
      [['InvalidRemittanceInfo', '.remittanceInformation.value']],
    ],
    [
      'an invalid reference',
      { remittanceInformation: { type: 'ocr', value: '2345677' } },
      [['InvalidRemittanceInfo', '.remittanceInformation.value']],
    ],
    [
      'a payment form',
      { remittanceInformation: { type: 'fik', value: '+71<1+2' } },
      [['InvalidRemittanceInfo', '.remittanceInformation.type']],
    ],
    [
      'no remittance information',
      { remittanceInformation: undefined },
      [['InvalidRemittanceInfo', '.remittanceInformation']],
    ],
    [
      'two errors',
      { name: '', amount: { amount: '0', currency: 'SEK' } },
      [
        ['InvalidRequest', '.name'],
        ['InvalidAmount', '.amount.amount'],
        ['InvalidAmount', '.amount.currency'],
      ],
    ],
  ])('with %s is rejected at its path', async (_what, changes, expected) => {
    expect(await third('NO', changes)).toEqual(expected)
  })

  test('with the reference of an OCR account passes', async () => {
    expect(await third('NO', { remittanceInformation: { type: 'ocr', value: '2345676' } })).toEqual([])
  })
})

test('with a message to an account at another bank is validated by what the bank accepts there', async () => {
  const remittanceInformation = { type: 'message', value: 'Lön november' }
  const payroll = (value: string) =>
    payrollIn('SE', [payoutIn('SE', 1, { remittanceInformation: { ...remittanceInformation, value } })])
  expect(await validate('SE', payroll('Lön november'), { shown: true })).toEqual([])
  expect(await validate('SE', payroll('Lön i november'), { shown: true })).toMatchObject([
    { code: 'InvalidRemittanceInfo', path: '.transactions[0].remittanceInformation.value' },
  ])
})
