/** What each country's banks check of account numbers, references and texts, by country. */
import { denmark } from './denmark.ts'
import { finland } from './finland.ts'
import { norway } from './norway.ts'
import { sweden } from './sweden.ts'

export type Country = 'NO' | 'SE' | 'DK' | 'FI'

export type NationalRules = {
  /** The number as the bank keeps it; undefined when it cannot be one. */
  readAccount(text: string): string | undefined
  /** Null where no IBAN is certain. */
  ibanOf(number: string): string | null
  /** The number inside a sound IBAN of the country; the IBAN itself where the number is lost in it. */
  numberOfIban(iban: string): string | undefined
  /** As people write it. */
  printAccount(number: string): string
  /** Whether a structured reference is sound in itself, whatever its receiver demands. */
  isReference(text: string): boolean
  /** Characters that texts of domestic payments may have. */
  readonly letters: RegExp
  /** Words of the country's banks; `account` says what a number should have been. */
  readonly words: Readonly<Record<'account' | 'reference' | 'login' | 'paid' | 'received', string>>
}

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
