/** What an authorisation is: one user's signing of a payment, a cancellation, a consent or a basket. */
import type { Selectable } from 'kysely'
import type { AuthorisationTable } from '../tables.ts'

export type ScaSubject = 'payment' | 'cancellation' | 'consent' | 'basket'
export type ScaStatus = 'received' | 'authenticationStarted' | 'psuAuthenticated' | 'started' | 'finalised' | 'failed'
/** How it ended: signed, refused, left, out of time, or replaced by a newer one before anybody opened it. */
export type ScaOutcome = 'approved' | 'rejected' | 'cancelled' | 'expired' | 'replaced'

export type Authorisation = Selectable<AuthorisationTable>

/** What the bank tells the user, and the third party, of an ended authorisation. */
export const messageByOutcome: Readonly<Record<ScaOutcome, string>> = {
  approved: 'Signed',
  rejected: 'The user rejected the request',
  cancelled: 'The user cancelled the signing',
  expired: 'The signing expired before the user finished it',
  replaced: 'Cancelled before it was opened, because a newer signing took its place',
}

/** Whether it has ended. */
export function isEnded(authorisation: Authorisation): boolean {
  return authorisation.outcome !== null
}

/** Whether a user is in the middle of it. */
export function isUnderWay(authorisation: Authorisation): boolean {
  return authorisation.outcome === null && authorisation.opened_at !== null
}

/** Where the browser goes when it has ended. */
export function returnAddress(authorisation: Authorisation): string {
  const { outcome, redirect_uri: success, nok_redirect_uri: failure } = authorisation
  return outcome === 'approved' ? success : (failure ?? success)
}
