/** What a country says of accounts, references and organisation numbers, in one shape for all. */
import type { CheckedReference, Reference, ReferenceAgreement } from './payment-reference.ts'

/**
 * A number in the form that is kept and sent on, or why it is none. Reasons and warnings complete "The account
 * number …". A warning tells of a number that looks wrong though genuine ones like it exist.
 */
export type Checked<Name extends string> =
  | ({ readonly ok: true; readonly warning?: string } & Readonly<Record<Name, string>>)
  | { readonly ok: false; readonly reason: string }

/** The bank that keeps an account, as the national table of bank codes names it; a few have no BIC there. */
export type AccountBank = { readonly bic: string | null; readonly name: string }

/** How account numbers and IBANs of a country hang together. Every IBAN taken here passes modulus 97 and has its length. */
export type IbanRules = {
  /** Takes a sound number; undefined where it has no IBAN, or none that is certain. */
  ibanOf(bban: string): string | undefined
  bbanOf(iban: string): Checked<'bban'>
  /** Sound IBANs exist from which the account number cannot be told, hence apart from `bbanOf`. */
  checkIban(iban: string): Checked<'iban'>
  bankOfIban(iban: string): AccountBank | undefined
}

/** The rules of one country. */
export type CountryRules = IbanRules & {
  readonly code: string
  readonly currency: string
  readonly timeZone: string
  checkAccountNumber(text: string): Checked<'bban'>
  /** Takes a sound number. */
  bankOf(bban: string): AccountBank | undefined
  checkOrganisationNumber(text: string): Checked<'organisationNumber'>
  checkReference(reference: Reference, agreement?: ReferenceAgreement): CheckedReference
}
