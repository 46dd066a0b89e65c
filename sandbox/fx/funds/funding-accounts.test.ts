/** Tests the funding accounts: valid check digits in every country, and unknown to every sandbox bank. */
import { createRequire } from 'node:module'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { valid as isKontonummer } from 'kontonummer'
import { expect, test } from 'vitest'
import { loadDemoFixture } from '../../bank/load-fixture.ts'
import { fundingAccounts } from './receive-inbound-funds.ts'

// It has no types.
const finnish: { isValidFinnishIBAN(iban: string): boolean } = createRequire(import.meta.url)('finnish-bank-utils')

test.each(fundingAccounts.map((account) => [account.iban, account] as const))('%s is valid', (iban, account) => {
  expect(isValidIBAN(iban)).toBe(true)
  expect(isValidBIC(account.bic)).toBe(true)
  expect([iban.slice(0, 2), account.bic.slice(4, 6)]).toEqual([account.country, account.country])
  expect(loadDemoFixture().accounts.some(({ bban }) => iban.endsWith(bban))).toBe(false)
})

test('internal numbers are valid in their own countries', () => {
  const of = (country: string) => fundingAccounts.filter((account) => account.country === country)
  expect(of('FI').map(({ iban }) => finnish.isValidFinnishIBAN(iban))).toEqual([true, true, true])
  expect(of('SE').every(({ iban }) => isKontonummer(iban.slice(-11)))).toBe(true)
})

test('accept the krone of each country at home, and euros, dollars and pounds in all four', () => {
  const places = fundingAccounts.map(({ country, currency }) => `${currency} in ${country}`)
  const everywhere = ['EUR', 'USD', 'GBP'].flatMap((code) => ['NO', 'SE', 'DK', 'FI'].map((one) => `${code} in ${one}`))
  expect(places.toSorted()).toEqual(['NOK in NO', 'SEK in SE', 'DKK in DK', ...everywhere].toSorted())
  expect(new Set(fundingAccounts.map(({ iban }) => iban)).size).toBe(places.length)
})
