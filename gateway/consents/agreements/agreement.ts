/** Defines the agreement: a paper contract between a bank and a company that replaces a consent for payment files. */
import type { ConsentAccount } from '../accounts/consent-account.ts'
import type { ListedConsent } from '../consent-store.ts'

/** An agreement as operators register it. */
export type NewAgreement = {
  readonly partnerId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  /** The bank's id of the customer in files. */
  readonly number: string
  /** The accounts that files may debit, in national format. */
  readonly accounts: readonly string[]
  /** The last day; by default the longest validity of the bank's profile. */
  readonly until?: Temporal.PlainDate
}

/** An agreement as operators see it. */
export type Agreement = ListedConsent & {
  readonly number: string
  readonly accounts: readonly Pick<ConsentAccount, 'bban' | 'iban' | 'currency'>[]
}

/** Ids of customers at banks: limited to what fits into a file, and is unambiguous in a list. */
export const AGREEMENT_NUMBER = /^[A-Za-z0-9][A-Za-z0-9 /.-]{0,34}$/
