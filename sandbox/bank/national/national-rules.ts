/** Defines the national rules for account numbers, references and texts. */

export type Country = 'NO' | 'SE' | 'DK' | 'FI'

export type NationalRules = {
  /** The number as the bank stores it; undefined when it is invalid. */
  readAccount(text: string): string | undefined
  /** Null where the IBAN cannot be derived with certainty. */
  ibanOf(number: string): string | null
  /** The number in a valid IBAN of the country; the IBAN itself where the number cannot be derived. */
  numberOfIban(iban: string): string | undefined
  /** An account or giro number in its printed form, which names giros. */
  printAccount(number: string): string
  /** Whether a structured reference is valid in itself, whatever its receiver requires. */
  isReference(text: string): boolean
  /** Characters permitted in texts of domestic payments. */
  readonly letters: RegExp
  /** Terms of the country's banks; `account` describes the expected number. */
  readonly words: Readonly<Record<'account' | 'reference' | 'login' | 'paid' | 'received', string>>
}
