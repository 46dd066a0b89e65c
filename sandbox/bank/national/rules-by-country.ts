/** Selects the national rules of a bank, and parses and renders account references by them. */

import type { Account, BankProfile } from '../fixture.ts'
import { isIban } from './check-digits.ts'
import { denmark } from './denmark.ts'
import { finland } from './finland.ts'
import type { Country, NationalRules } from './national-rules.ts'
import { norway } from './norway.ts'
import { sweden } from './sweden.ts'

const rulesByCountry: Readonly<Record<Country, NationalRules>> = {
  NO: norway,
  SE: sweden,
  DK: denmark,
  FI: finland,
}

export function rulesOf({ country }: { readonly country: Country }): NationalRules {
  return rulesByCountry[country]
}

/** The account number in a reference, from `bban` or `iban`; undefined when it is not a valid one of the country. */
export function accountNumberOf(
  bank: { readonly country: Country },
  reference: { readonly bban?: string; readonly iban?: string },
): string | undefined {
  const rules = rulesOf(bank)
  const { bban, iban } = reference
  if (bban !== undefined) {
    return rules.readAccount(bban)
  }
  return iban?.startsWith(bank.country) === true && /^[A-Z0-9]+$/.test(iban) && isSameIban(rules, iban)
    ? rules.numberOfIban(iban)
    : undefined
}

/** Whether the IBAN's check digits are those of the number in it. */
function isSameIban(rules: NationalRules, iban: string): boolean {
  const number = rules.numberOfIban(iban)
  return number !== undefined && (number === iban || rules.ibanOf(number) === iban)
}

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
  const shows = (form: 'bban' | 'iban') => bank.accountForms.includes(form)
  return { ...(shows('iban') && iban !== null ? { iban } : {}), ...(shows('bban') || iban === null ? { bban } : {}) }
}
