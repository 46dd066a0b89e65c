/** Tests that large payrolls are validated completely and in order, and block no other requests. */
import { setImmediate as breathe } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bank } from '../../banks/connector/bank.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { sampleBank } from '../../banks/testing/samples.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { collectValidationErrors, PAYROLL_VALIDATION_ERRORS_MAX, parsePayrollAt } from './validate-payroll.ts'

const PAYOUTS = 10_000
/**
 * The maximum number of validations between two turns of the event loop; ten thousand take a tenth of a second or more.
 */
const PAYOUTS_AT_ONCE = 200

const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
const BANKS = {
  NO: ['norwegian-redirect', 'NOK'],
  SE: ['swedbank', 'SEK'],
  DK: ['danish-redirect', 'DKK'],
  FI: ['finnish-redirect', 'EUR'],
} as const
type Country = keyof typeof BANKS

function judgingIn(countryCode: Country) {
  const profile = profiles.get(BANKS[countryCode][0])
  if (profile === undefined) {
    throw new Error(`There is no profile for ${countryCode}`)
  }
  const constraints = { ...profile.constraints, maxPayrollSize: PAYOUTS }
  const row = {
    bic: `TEST${countryCode}22`,
    name: 'Testbanken',
    connector: 'berlin-group',
    address: '',
    linkHosts: [],
    certificate: null,
  }
  const bank: Bank = sampleBank({ ...row, countryCode, profile: { ...profile, constraints } })
  const localNow = Temporal.PlainDateTime.from('2026-11-23T09:00')
  const situation = { bank, localNow, organisationNumber: '987654325', transactionsMax: PAYOUTS }
  return { situation, isAccountOnConsent: async () => false, texts: [] }
}

/** Validates a body as it was sent. */
async function validate(country: Country, text: string): Promise<readonly ValidationError[]> {
  const body = JSON.parse(text)
  const found = collectValidationErrors()
  await parsePayrollAt(found, '', body, judgingIn(country))
  return found.listed(body)
}

const payout = (n: number, name = 'Ingrid Solbakken') => ({
  metadata: { endToEndId: `SAL-${n}` },
  name,
  account: { bban: '86011117947' },
  amount: { amount: '31250.50', currency: 'NOK' },
  remittanceInformation: { type: 'message', value: 'November' },
})
const payouts = (count: number, name?: string) => Array.from({ length: count }, (_, n) => payout(n, name))
const from = { account: { bban: '80501100017' }, name: 'Handel' }

describe('a payroll of thousands of payouts', () => {
  test('passes without errors, and yields to the event loop all the while', async () => {
    const body = JSON.parse(
      JSON.stringify({ from, transactions: payouts(PAYOUTS), dueDate: '2026-11-24', purposeCode: 'SALA' }),
    )
    const found = collectValidationErrors()
    const validated = parsePayrollAt(found, '', body, judgingIn('NO'))
    let [isDone, turns] = [false, 0]
    validated.then(() => {
      isDone = true
    })
    while (!isDone) {
      await breathe()
      turns += 1
    }
    expect(turns).toBeGreaterThanOrEqual(PAYOUTS / PAYOUTS_AT_ONCE)
    expect(found.listed(body)).toEqual([])
  })

  test('returns its first thousand errors in body order, and the number of all', async () => {
    const count = 2.5 * PAYROLL_VALIDATION_ERRORS_MAX
    const text = JSON.stringify({ dueDate: '2020-01-01', transactions: payouts(count, ''), from, purposeCode: 'SUPP' })
    const validationErrors = await validate('NO', text)
    expect(validationErrors).toHaveLength(PAYROLL_VALIDATION_ERRORS_MAX + 1)
    expect(validationErrors[0]).toMatchObject({ code: 'InvalidDueDate', path: '.dueDate' })
    const paths = Array.from({ length: PAYROLL_VALIDATION_ERRORS_MAX - 1 }, (_, n) => `.transactions[${n}].name`)
    expect(validationErrors.slice(1, -1).map(({ path }) => path)).toEqual(paths)
    const reason = `The request has ${count + 2} errors; the first ${PAYROLL_VALIDATION_ERRORS_MAX} are listed`
    expect(validationErrors.at(-1)).toEqual({ code: 'InvalidRequest', reason, path: '.' })
  })
})

/** Limits and examples that reasons name, without their spaces: a value may be a part of one by chance. */
const OWN_NUMBERS = ['125000', '2500000000', '9999999999', '1000000000']

describe('no reason repeats a value of a payroll', () => {
  const digits = (minLength: number, maxLength: number) =>
    fc.stringMatching(new RegExp(`^[0-9]{${minLength},${maxLength}}$`))
  const value = fc.oneof(digits(4, 26), fc.stringMatching(/^[A-Za-zÆØÅæøå€ ]{6,200}$/))
  /** Genuine prefixes, so that the checks of each country run as far as they do with typing errors. */
  const account = fc.oneof(
    digits(4, 20),
    fc.constantFrom(
      '5439-1024038',
      '6000-806967497',
      '8327-9 123 4567',
      '3300-0001014',
      'NO9386011117947',
      'SE4550000000058398257466',
      'FI2112345600000786',
      'DK5000400440116243',
      '86011117948',
    ),
  )
  const money = fc.record({
    amount: fc.oneof(digits(4, 20), fc.stringMatching(/^[0-9]{4,9}\.[0-9]{1,6}$/)),
    currency: fc.stringMatching(/^[A-Z]{3}$/),
  })
  const remittanceInformation = fc.record({ type: fc.constantFrom('message', 'ocr', 'fik', 'none'), value })
  const payrolls = fc.record({
    from: fc.record({ account: fc.record({ bban: account }), name: value }),
    transactions: fc.array(
      fc.record({
        metadata: fc.record({ endToEndId: value }),
        name: value,
        account: fc.record({ bban: account }),
        amount: money,
        remittanceInformation,
      }),
      { minLength: 1, maxLength: 3 },
    ),
    dueDate: fc.constant('2026-11-24'),
    purposeCode: fc.constant('SALA'),
  })
  const plain = (text: string) => text.replace(/[ .-]/g, '')

  test.each(['NO', 'SE', 'DK', 'FI'] as const)('in %s', async (country) => {
    await fc.assert(
      fc.asyncProperty(payrolls, async (payroll) => {
        const reasons = plain(
          (await validate(country, JSON.stringify(payroll))).map(({ reason }) => reason).join(' | '),
        )
        const values = payroll.transactions.flatMap(
          ({ metadata, name, account: { bban }, amount, remittanceInformation: { value: text } }) => [
            ...[metadata.endToEndId, name, amount.amount, text].map((whole) => plain(whole)),
            // No part of an account number is repeated, either.
            plain(bban),
            plain(bban).slice(0, 4),
          ],
        )
        for (const one of [...values, plain(payroll.from.account.bban), plain(payroll.from.name)].filter(
          (text) => text.length >= 4 && !OWN_NUMBERS.some((ours) => ours.includes(text)),
        )) {
          expect(reasons).not.toContain(one)
        }
      }),
    )
  })
})
