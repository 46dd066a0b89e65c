/** What an authorisation is: one user's signing of a payment, a cancellation, a consent or a basket. */
import type { Selectable } from 'kysely'
import type { AuthorisationTable } from '../tables.ts'

export type ScaSubject = 'payment' | 'cancellation' | 'consent' | 'basket'
export type ScaStatus =
  | 'received'
  | 'authenticationStarted'
  | 'psuAuthenticated'
  | 'started'
  | 'unconfirmed'
  | 'finalised'
  | 'failed'
/**
 * How it ended: signed, refused, left, out of time, a code that nobody scanned or that the third party did not know,
 * or replaced by a newer one.
 */
export type ScaOutcome = 'approved' | 'rejected' | 'cancelled' | 'expired' | 'lapsed' | 'unconfirmed' | 'replaced'

export type Authorisation = Selectable<AuthorisationTable>

/** What the bank tells the user, and the third party, of an ended authorisation. */
export const messageByOutcome: Readonly<Record<ScaOutcome, string>> = {
  approved: 'Signed',
  rejected: 'The user rejected the request',
  cancelled: 'The user cancelled the signing',
  expired: 'The signing expired before the user finished it',
  // Only Swedish banks show codes, and this text is meant for their users.
  lapsed: 'BankID-beställningen har gått ut: ingen skannade koden i tid',
  unconfirmed: 'The signing failed: the confirmation code was wrong too often',
  replaced: 'Cancelled, because a newer signing took its place',
}

/** Whether it has ended. */
export function isEnded(authorisation: Authorisation): boolean {
  return authorisation.outcome !== null
}

/** Whether a user is in the middle of it. */
export function isUnderWay(authorisation: Authorisation): boolean {
  return authorisation.outcome === null && authorisation.opened_at !== null
}

/** Whether the user has signed and the third party has yet to bring the code that the browser took to it. */
export function isUnconfirmed(authorisation: Authorisation): boolean {
  return authorisation.outcome === null && authorisation.sca_status === 'unconfirmed'
}

/** Where the browser goes when the user is done; null where none was sent here. */
export function returnAddress(authorisation: Authorisation): string | null {
  const { outcome, redirect_uri: success, nok_redirect_uri: failure, confirmation_code: code } = authorisation
  if (outcome !== 'approved' && !isUnconfirmed(authorisation)) {
    return failure ?? success
  }
  return success !== null && code !== null ? withQuery(success, { confirmationCode: code }) : success
}

function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value)
  }
  return url.href
}
