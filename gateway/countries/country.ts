/** Defines everything national as one object per country: accounts, references, organisation numbers, calendar, rails, texts, eID. */
import type { PageLanguage } from '../platform/http/pages/page-language.ts'
import type { BankHolidayRules } from './bank-holidays.ts'
import type { ReportingTerms } from './reporting-terms.ts'

/**
 * The normalised number, or why it is invalid. Reasons and warnings complete "The account number …". A warning means
 * that the number looks wrong, though valid ones like it exist.
 */
export type CheckResult<Name extends string> =
  | (Valid & Readonly<Record<Name, string>>)
  | { readonly ok: false; readonly reason: string }

/** Of an account number, a reference, an organisation number. */
export function invalid(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason }
}

export function valid<Found extends object>(found: Found, warning?: string): Found & Valid {
  return warning === undefined ? { ok: true, ...found } : { ok: true, ...found, warning }
}

type Valid = { readonly ok: true; readonly warning?: string }

/** A bank in the national table of bank codes; some have no BIC there. */
export type AccountBank = { readonly bic: string | null; readonly name: string }

/** Conversions between account numbers and IBANs. IBANs must have passed modulus 97 and have the right length. */
export type IbanRules = {
  /** `bban` must be valid; undefined where it has no IBAN, or an ambiguous one. */
  ibanOf(bban: string): string | undefined
  bbanOf(iban: string): CheckResult<'bban'>
  /** Separate from `bbanOf`, because some valid IBANs do not determine the account number. */
  checkIban(iban: string): CheckResult<'iban'>
  bankOfIban(iban: string): AccountBank | undefined
  /** Whether every IBAN ends in its account number, so that the error for an IBAN can name the number. */
  readonly endsInAccountNumber: boolean
}

/** What a creditor's number is: of an account, a Swedish giro number, or that of a Danish payment form. */
export type CreditorNumberKind = 'account' | 'bankgiro' | 'plusgiro' | 'payment-form'

/** SWIFT's set X, which SEPA uses too, for use in a character class. */
export const SEPA_CHARACTERS = "a-zA-Z0-9/\\-?:().,'+ "

export type DomesticTexts = {
  /** The supported characters, e.g. `[a-zA-Z0-9 ]`; a bank may support fewer. */
  readonly characterClass: string
  /** Whether they are texts of SEPA payments: slashes may not be first, last or doubled. */
  readonly areSepa: boolean
  /** The maximum length of the text that only the debtor sees. */
  readonly debtorReferenceMax: number
}

/** Kinds of organisations that are onboarded after a check of documents. */
export type ReviewedForm = 'branch' | 'foundation' | 'public' | 'financial' | 'unknown'

/** Kinds of organisations that are not onboarded. */
export type ExcludedForm = 'housing' | 'association' | 'estate' | 'part'

/** The codes of a country's registry for organisations of each kind. */
export type FormsByKind<Kind extends string> = readonly { readonly kind: Kind; readonly codes: readonly string[] }[]

/** The organisation forms of a country; any other form counts as unknown. */
export type OrganisationForms = {
  /** Codes of forms that are onboarded at once. */
  readonly supported: readonly string[]
  readonly reviewed: FormsByKind<ReviewedForm>
  readonly excluded: FormsByKind<ExcludedForm>
}

/** The country's electronic identification. */
export type Eid = {
  readonly name: string
  /** Its path at the sandbox's identity provider, which simulates it. */
  readonly sandboxPath: string
}

export type NationalIds = {
  /** Matches ids with letters in a text, to redact them; null if ids are digits, which are redacted as long numbers. */
  readonly withLetters: RegExp | null
  /** The birth date in a normalised id, which may not be in the calendar; null where only the eID reports it. */
  birthDateOf(nationalId: string): string | null
}

/** Numbers with which an unknown bank is probed. */
export type ProbeNumbers = {
  /** An account that cannot exist, so that an order from it is never executed. */
  readonly impossibleAccount: { readonly bban: string; readonly iban: string }
  /** The example of the IBAN registry. */
  readonly exampleAccount: { readonly bban: string; readonly iban: string }
  /** A valid structured reference as orders state it; in Denmark card type and payment id of a form. */
  readonly exampleReference: string
}

export type CountryRules = IbanRules & {
  readonly currency: string
  readonly timeZone: string
  /** The official languages in which our pages exist too; the first is that of most companies. */
  readonly languages: readonly [PageLanguage, ...PageLanguage[]]
  readonly bankHolidays: BankHolidayRules
  checkAccountNumber(text: string): CheckResult<'bban'>
  /** An account or giro number in normalised form as the country's banks print it; other texts are unchanged. */
  formatAccountNumber(bban: string): string
  /** `bban` must be valid. */
  bankOf(bban: string): AccountBank | undefined
  /** The digits of a valid account number that identify the bank: bank code, clearing or registration number. */
  bankCodeOf(bban: string): string
  /** Whether payers state that code as the bank's clearing code. */
  readonly hasClearingCodes: boolean
  /** `creditorBban` must be in normalised form. */
  kindOfNumber(creditorBban: string): CreditorNumberKind
  /**
   * The national clearing system (ISO 20022, external code) of the codes of banks that files state in addition to an
   * account number; null where the number alone identifies the bank.
   */
  readonly clearingSystem: string | null
  checkOrganisationNumber(text: string): CheckResult<'organisationNumber'>
  /** An organisation number in normalised form as the country's authorities print it; other texts are unchanged. */
  formatOrganisationNumber(organisationNumber: string): string
  readonly organisationForms: OrganisationForms
  readonly eid: Eid
  readonly nationalIds: NationalIds
  readonly domesticTexts: DomesticTexts
  checkReference(reference: Reference): CheckedReference
  /** The parts of a payment form; undefined if it is invalid, or if the country has no payment forms. */
  parsePaymentForm(reference: FikReference): FikParts | undefined
  /** What is reported to the authorities of cross-border payments; null if nothing is. */
  readonly regulatoryReporting: ReportingTerms | null
  readonly probeNumbers: ProbeNumbers
}

/** The reference of a payment; a Danish FIK comes as its printed line or in parts. */
export type Reference = { readonly type: 'ocr'; readonly value: string } | FikReference

/** The printed line or the parts; if both are given, they must match. `message` may accompany either. */
export type FikReference = { readonly type: 'fik'; readonly value?: string } & Partial<FikParts>

/** The parts of a Danish payment form. */
export type FikParts = {
  readonly cardType: string
  readonly paymentId?: string
  readonly creditorNumber: string
  readonly message?: string
}

/** The check that the reference passed; `None` if its type has no check digit. */
type CheckMethod = 'Modulus10' | 'Modulus11' | 'Modulus97' | 'Weights731' | 'None'

/** The normalised reference, or why it is invalid. Reasons and warnings complete "The reference …". */
export type CheckedReference =
  | (Valid & { readonly reference: string; readonly checkMethod: CheckMethod })
  | { readonly ok: false; readonly reason: string }

/** The error for a type of reference that the country does not use. */
export function referenceTypeNotUsed(country: string, used: string): CheckedReference {
  return invalid(`is of a type that is not used in ${country}; ${used}`)
}
