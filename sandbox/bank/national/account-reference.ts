/** Renders account references as the bank does: by national number, by IBAN, or both. */

import type { Account, BankProfile } from '../fixture.ts'
import { isIban } from './check-digits.ts'
import { accountNumberOf, rulesOf } from './rules-by-country.ts'

export function accountReference(bank: BankProfile, { bban, currency }: Pick<Account, 'bban' | 'currency'>): object {
  return { ...numbersOf(bank, bban), currency }
}

/** A counterparty's account; omitted when its number is neither national nor an IBAN, such as a giro number. */
export function counterpartyReference(bank: BankProfile, number: string | null): object | undefined {
  if (number === null || number === '') {
    return undefined
  }
  if (isIban(number)) {
    return { iban: number }
  }
  return accountNumberOf(bank, { bban: number }) === number ? numbersOf(bank, number) : undefined
}

function numbersOf(bank: BankProfile, bban: string): object {
  const iban = rulesOf(bank).ibanOf(bban)
  const shows = (form: 'bban' | 'iban') => bank.showsAccounts.includes(form)
  return { ...(shows('iban') && iban !== null ? { iban } : {}), ...(shows('bban') || iban === null ? { bban } : {}) }
}
