/** Shows what kind of number names a creditor. */
import { expect, test } from 'vitest'
import { creditorAccountNumber, kindOfCreditorNumber } from './bank-order.ts'

test.each([
  ['NO', '86011117947', 'account'],
  ['SE', '54391024039', 'account'],
  ['SE', '6000806967498', 'account'],
  ['SE', '5402-9681', 'bankgiro'],
  ['SE', '297-3675', 'bankgiro'],
  ['SE', '902003-3', 'plusgiro'],
  ['SE', '1-8', 'plusgiro'],
  ['DK', '00400440116243', 'account'],
  ['DK', '81234567', 'payment-form'],
  ['DK', '1234567', 'payment-form'],
  ['FI', '12345600000785', 'account'],
])('in %s, %s is paid by %s', (country, number, rail) => {
  expect(kindOfCreditorNumber(number, country)).toBe(rail)
})

test('the number of the receiver is returned for every kind of receiver', () => {
  expect(creditorAccountNumber({ type: 'account', bban: '86011117947', iban: 'NO9386011117947' })).toBe('86011117947')
  expect(creditorAccountNumber({ type: 'bankgiro', number: '5402-9681' })).toBe('5402-9681')
})
