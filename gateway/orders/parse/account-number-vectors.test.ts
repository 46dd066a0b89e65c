/** Tests that every genuine account number of the vectors is accepted, and each wrong one rejected with its code. */
import { describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import type { Bank } from '../../banks/connector/bank.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../banks/directory/validate-bank-profile.ts'
import { sampleBank } from '../../banks/testing/samples.ts'
import { parseDomesticPayment } from './parse-domestic-payment.ts'

const { suites } = vectors
const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)

/** For each country: a bank that supports every rail, and two accounts that no vector contains. */
const COUNTRIES = {
  NO: { profile: 'norwegian-redirect', currency: 'NOK', company: '987654325', own: '80501100017', to: '80501200011' },
  SE: { profile: 'swedbank', currency: 'SEK', company: '5599901005', own: '79901000017', to: '79902000010' },
  DK: { profile: 'danish-redirect', currency: 'DKK', company: '99001100', own: '59600001100011', to: '59600001200011' },
  FI: {
    profile: 'finnish-redirect',
    currency: 'EUR',
    company: '9900110-9',
    own: '40550001000013',
    to: '40550002000012',
  },
} as const
type CountryCode = keyof typeof COUNTRIES

/**
 * Creditors at this level accept any reference. Only their bank has this information: such digits are sent as a
 * message.
 */
const UNCHECKED = 'none'

/** Genuine although a check fails: older banks of this range have such accounts. */
const ONLY_WARNED_OF = ['8201-6 914357963-1']

type Written = { readonly countryCode: CountryCode; readonly text: string; readonly genuine: boolean }
const written = (countryCode: CountryCode, suite: readonly { readonly input: string; readonly valid?: boolean }[]) =>
  suite.map(
    ({ input: text, valid }): Written => ({
      countryCode,
      text,
      genuine: valid === true || ONLY_WARNED_OF.includes(text),
    }),
  )

const accounts: readonly Written[] = [
  ...written('NO', suites.noAccount),
  ...written('SE', suites.seAccount),
  ...suites.dkAccount.map(({ input: text, iban }): Written => ({ countryCode: 'DK', text, genuine: iban !== null })),
  ...written('FI', suites.fiBban),
  ...written(
    'FI',
    suites.iban.filter(({ input }) => input.startsWith('FI')),
  ),
]
const giros: readonly Written[] = written('SE', [
  ...suites.bankgiro.map(({ input, valid }) => ({ input: `BG ${input}`, valid })),
  ...suites.plusgiro.map(({ input, valid }) => ({ input: `PG ${input}`, valid })),
])
const references: readonly Written[] = [
  ...written(
    'NO',
    suites.kid.filter(({ valid }) => valid),
  ),
  ...written(
    'SE',
    suites.ocrSe.filter(({ valid, level }) => valid && level !== UNCHECKED),
  ),
  ...written('FI', [...suites.viite, ...suites.rf]),
]

function validationErrorsOf(countryCode: CountryCode, changes: { own?: string; to?: string; remittance?: object }) {
  const { profile: name, currency, company, own, to } = COUNTRIES[countryCode]
  const profile = profiles.get(name) ?? expect.fail(`There is no profile ${name}`)
  const row = {
    bic: 'TESTNO22',
    name: 'Testbanken',
    connector: 'berlin-group',
    address: '',
    linkHosts: [],
    certificate: null,
  }
  const bank: Bank = sampleBank({ ...row, countryCode, profile })
  const order = {
    metadata: { endToEndId: 'INV-1' },
    from: { account: { type: 'bban', bban: changes.own ?? own }, contactInformation: { name: 'Handel' }, currency },
    to: { account: { type: 'bban', bban: changes.to ?? to }, contactInformation: { name: 'Granskog' } },
    amount: { amount: '100.00', currency },
    dueDate: '2026-11-24',
    ...(changes.remittance === undefined ? {} : { remittanceInformation: changes.remittance }),
  } as DomesticPayment
  const localNow = Temporal.PlainDateTime.from('2026-11-23T09:00')
  const { errors } = parseDomesticPayment(order, { bank, localNow, organisationNumber: company }, () => true)
  return errors.map(({ code, path }) => `${code} ${path}`)
}

describe('a number', () => {
  test('is genuine in more than forty vectors, and wrong in more than twenty', () => {
    const all = [...accounts, ...giros]
    expect(all.filter(({ genuine }) => genuine).length).toBeGreaterThan(40)
    expect(all.filter(({ genuine }) => !genuine).length).toBeGreaterThan(20)
  })

  test.each(accounts)(
    '$countryCode $text is a valid debtor account if genuine ($genuine), otherwise InvalidBBAN',
    (number) => {
      const { countryCode, text, genuine } = number
      expect(validationErrorsOf(countryCode, { own: text })).toEqual(genuine ? [] : ['InvalidBBAN .from.account.bban'])
    },
  )

  test.each([...accounts, ...giros])(
    '$countryCode $text is a valid creditor account if genuine ($genuine), otherwise InvalidAccountNumber',
    ({ countryCode, text, genuine }) => {
      expect(validationErrorsOf(countryCode, { to: text })).toEqual(
        genuine ? [] : ['InvalidAccountNumber .to.account.bban'],
      )
    },
  )
})

describe('a reference', () => {
  test.each(references)(
    '$countryCode $text is valid if genuine ($genuine), otherwise InvalidRemittanceInfo',
    (reference) => {
      const { countryCode, text: value, genuine } = reference
      expect(validationErrorsOf(countryCode, { remittance: { type: 'ocr', value } })).toEqual(
        genuine ? [] : ['InvalidRemittanceInfo .remittanceInformation.value'],
      )
    },
  )

  test.each(suites.fik)(
    'of a payment form $type $id $creditor $message: $result',
    ({ type, id, creditor, message, result }) => {
      const remittance = {
        type: 'fik',
        cardType: type,
        creditorNumber: creditor,
        ...(id === undefined ? {} : { paymentId: id }),
        ...(message === undefined ? {} : { message }),
      }
      const found = validationErrorsOf('DK', { to: creditor, remittance })
      expect(found.filter((validationError) => validationError.startsWith('InvalidRemittanceInfo')).length > 0).toBe(
        result !== 'ok',
      )
      expect(result === 'ok' ? found : []).toEqual([])
    },
  )
})
