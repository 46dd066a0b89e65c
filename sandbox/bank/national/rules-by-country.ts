/** The rules of a bank by its country, and the account number that a reference names by them. */
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

/** The account number that a reference names, as `bban` or inside an `iban`; undefined when it is none of the country. */
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

/** Whether the check digits are those that the number inside asks for. */
function isSameIban(rules: NationalRules, iban: string): boolean {
  const number = rules.numberOfIban(iban)
  return number !== undefined && (number === iban || rules.ibanOf(number) === iban)
}
