/** Names accounts in answers as the bank does: by national number, by IBAN, or both. */

import type { Account, BankProfile } from '../fixture.ts'
import { isIban } from '../national/check-digits.ts'
import { accountNumberOf, rulesOf } from '../national/rules-by-country.ts'

/** One of the bank's accounts. */
export function accountReference(bank: BankProfile, { bban, currency }: Pick<Account, 'bban' | 'currency'>): object {
  return { ...numbersOf(bank, bban), currency }
}

/** The account of a counterparty; nothing when its number is neither one of the country, as those of giros, nor an IBAN. */
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
