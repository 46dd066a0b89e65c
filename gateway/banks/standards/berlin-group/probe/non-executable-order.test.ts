/** Guarantees that a probe's orders are from accounts that cannot exist, to accounts that are written as they should be. */
import { expect, test } from 'vitest'
import { checkAccountNumber } from '../../../../countries/account-number.ts'
import { checkIban } from '../../../../countries/iban.ts'
import { COUNTRIES_SERVED } from '../../../../countries/served-countries.ts'
import { impossibleBulk, impossibleOrder } from './non-executable-order.ts'

const today = Temporal.PlainDate.from('2026-11-23')

test.each(COUNTRIES_SERVED)('in %s', (country) => {
  const [byNumber, byIban] = [impossibleOrder(country, 'bban', today), impossibleOrder(country, 'iban', today)]
  const numbers = (order: object, form: string) =>
    ['debtorAccount', 'creditorAccount'].map((side) => String(Object(Object(order)[side])[form]))
  expect(numbers(byIban, 'iban').map((iban) => checkIban(iban).ok)).toEqual([false, true])
  // Danish numbers have no check digits: there the registration number is one that no bank has.
  const [debtor = '', creditor = ''] = numbers(byNumber, 'bban')
  expect(country === 'DK' ? /^0000/.test(debtor) : !checkAccountNumber(country, debtor).ok).toBe(true)
  expect(checkAccountNumber(country, creditor).ok).toBe(true)
  expect(impossibleBulk(byIban)).toMatchObject({
    debtorAccount: byIban['debtorAccount'],
    payments: [{ creditorAccount: byIban['creditorAccount'] }],
  })
})

test('a country without such an account is not probed', () => {
  expect(() => impossibleOrder('GB', 'iban', today)).toThrow('Banks of GB cannot be probed')
})
