/** Shows that a probe's orders have impossible debtor accounts and valid creditor accounts. */
import { expect, test } from 'vitest'
import { checkAccountNumber } from '../../../../countries/account-number.ts'
import { checkIban } from '../../../../countries/iban.ts'
import { SERVED_COUNTRIES } from '../../../../countries/served-countries.ts'
import { nonExecutableBulk, nonExecutableOrder } from './order-trials.ts'

const today = Temporal.PlainDate.from('2026-11-23')

test.each(SERVED_COUNTRIES)('in %s', (country) => {
  const [byNumber, byIban] = [nonExecutableOrder(country, 'bban', today), nonExecutableOrder(country, 'iban', today)]
  const numbers = (order: object, form: string) =>
    ['debtorAccount', 'creditorAccount'].map((side) => String(Object(Object(order)[side])[form]))
  expect(numbers(byIban, 'iban').map((iban) => checkIban(iban).ok)).toEqual([false, true])
  // Danish numbers have no check digits: there the registration number is one that no bank has.
  const [debtor = '', creditor = ''] = numbers(byNumber, 'bban')
  expect(country === 'DK' ? /^0000/.test(debtor) : !checkAccountNumber(country, debtor).ok).toBe(true)
  expect(checkAccountNumber(country, creditor).ok).toBe(true)
  expect(nonExecutableBulk(byIban)).toMatchObject({
    debtorAccount: byIban['debtorAccount'],
    payments: [{ creditorAccount: byIban['creditorAccount'] }],
  })
})

test('a country without such an account is not probed', () => {
  expect(() => nonExecutableOrder('GB', 'iban', today)).toThrow('Banks of GB cannot be probed')
})
