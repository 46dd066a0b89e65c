/** What an agreement is: a bank's contract on paper with a company, which stands in for a consent where orders go in files. */
import type { ConsentAccount } from '../accounts/consent-account.ts'
import type { ListedConsent } from '../consent-store.ts'

/** An agreement as operators enter it. */
export type AgreementWanted = {
  readonly partnerId: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  /** What the bank calls the customer in files. */
  readonly number: string
  /** The accounts that files may pay from, as they are written in their country. */
  readonly accounts: readonly string[]
  /** The last day; the longest that the bank's profile allows where none is given. */
  readonly until?: Temporal.PlainDate
}

/** An agreement as operators see it. */
export type Agreement = ListedConsent & {
  readonly number: string
  readonly accounts: readonly Pick<ConsentAccount, 'bban' | 'iban' | 'currency'>[]
}

/** Ids of customers at banks: what fits into a file, and stands on its own in a list. */
export const AGREEMENT_NUMBER = /^[A-Za-z0-9][A-Za-z0-9 /.-]{0,34}$/
