/** What the banks of a country check of account numbers, references and texts. */

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
