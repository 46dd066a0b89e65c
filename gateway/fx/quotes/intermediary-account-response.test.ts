/** Tests that the account to which the cost is paid is identified in full, whatever the provider gives. */
import { expect, test } from 'vitest'
import type { IntermediaryAccount } from '../providers/beneficiary.ts'
import { intermediaryAccountResponse } from './intermediary-account.ts'

const ACCOUNT = {
  currency: 'NOK',
  bic: 'FJORNO22',
  clearingCode: null,
  iban: null,
  bban: null,
  holder: { name: 'Client account', address: { street: null, city: null, postCode: null, country: null } },
}

test.each<[country: string, given: Partial<IntermediaryAccount>, clearingCode: string | undefined]>([
  ['NO', { bban: '86011117947' }, '8601'],
  ['NO', { iban: 'NO9386011117947' }, '8601'],
  ['SE', { bban: '54391024039' }, '5439'],
  ['SE', { bban: '54029681' }, undefined],
  ['DK', { bban: '00400440116243' }, '0040'],
  ['FI', { iban: 'FI2112345600000785' }, undefined],
  ['GB', { bban: '31926819', clearingCode: '601613' }, '601613'],
  ['NO', { bban: '86011117947', clearingCode: '860' }, '860'],
])('in %s, for %o, the clearing code is that of the provider, or of the account number: %s', (country, given, code) => {
  expect(intermediaryAccountResponse({ ...ACCOUNT, country, ...given }).account.clearingCode).toBe(code)
})
