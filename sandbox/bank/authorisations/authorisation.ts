/** What an authorisation is: one user's signing of a payment, a cancellation, a consent or a basket. */
import type { Generated, Selectable } from 'kysely'
import type { OptionalTimestamp, Timestamp } from '../column-types.ts'

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

export const DECISIONS = ['approve', 'reject', 'cancel'] as const
export type Decision = (typeof DECISIONS)[number]

export type Approach = 'redirect' | 'app' | 'embedded'

/** How an app learns what to sign: an image that the bank sends or has ready, or a token that starts the app. */
export type CodeForm = 'image' | 'image-link' | 'start-token'

export type AuthorisationTable = {
  position: Generated<bigint>
  id: string
  bank: string
  subject: ScaSubject
  resource_id: string
  token_hash: string
  sca_status: ScaStatus
  outcome: ScaOutcome | null
  psu_message: string | null
  psu_id: string | null
  signer_id: string | null
  /** Null only where no browser is sent here. */
  redirect_uri: string | null
  nok_redirect_uri: string | null
  created_at: Timestamp
  opened_at: OptionalTimestamp
  due_at: OptionalTimestamp
  approach: Approach
  /** The browser's link, where the third party may ask for it again; null elsewhere. */
  link_token: string | null
  /** How the user's app learns of it, when by a code; the token is in the code, the secret proves it. */
  code_form: CodeForm | null
  code_token: string | null
  code_secret: string | null
  /** Wall time: when the code was first shown, and when nobody may scan it any more; null once somebody has. */
  code_begun_at: OptionalTimestamp
  code_lapses_at: OptionalTimestamp
  /** What the browser takes back to the third party, which has to bring it here; null until the user has signed. */
  confirmation_code: string | null
  confirmation_failures: Generated<number>
}

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
