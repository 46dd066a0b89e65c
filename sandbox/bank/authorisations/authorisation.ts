/** An authorisation: one user's SCA of a payment, a cancellation, a consent or a basket. */
import type { Generated, Selectable } from 'kysely'
import type { OptionalTimestamp, Timestamp } from '../column-types.ts'

export type ScaSubject = 'payment' | 'cancellation' | 'consent' | 'basket'
export type ScaStatus =
  | 'received'
  | 'authenticationStarted'
  | 'psuAuthenticated'
  | 'scaMethodSelected'
  | 'started'
  | 'unconfirmed'
  | 'finalised'
  | 'failed'
/**
 * Its outcome: authorised, rejected, cancelled, expired, a code that was not scanned or a wrong confirmation code, or
 * replaced by a newer authorisation.
 */
export type ScaOutcome = 'approved' | 'rejected' | 'cancelled' | 'expired' | 'lapsed' | 'unconfirmed' | 'replaced'

export const DECISIONS = ['approve', 'reject', 'cancel'] as const
export type Decision = (typeof DECISIONS)[number]

export type Approach = 'redirect' | 'app' | 'embedded'

/** How an app receives the order: an image that the bank sends or provides at a URL, or a token that starts the app. */
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
  /** Null except for the redirect approach. */
  redirect_uri: string | null
  nok_redirect_uri: string | null
  created_at: Timestamp
  opened_at: OptionalTimestamp
  due_at: OptionalTimestamp
  approach: Approach
  /** The token of the browser's link, where the third party may request the link again; null elsewhere. */
  link_token: string | null
  /** The code, when the app scans one: it contains the token, and the secret proves it. */
  code_form: CodeForm | null
  code_token: string | null
  code_secret: string | null
  /** Wall time: when the code was first shown, and when it expires; null once it has been scanned. */
  code_issued_at: OptionalTimestamp
  code_expires_at: OptionalTimestamp
  /** The confirmation code that the browser carries to the third party; null until the user has authorised. */
  confirmation_code: string | null
  confirmation_failures: Generated<number>
}

export type Authorisation = Selectable<AuthorisationTable>

/** The message for the user and the third party about an ended authorisation. */
export const messageByOutcome: Readonly<Record<ScaOutcome, string>> = {
  approved: 'Signed',
  rejected: 'The user rejected the request',
  cancelled: 'The user cancelled the signing',
  expired: 'The signing expired before the user finished it',
  // Only Swedish banks show codes, and this text is for their users.
  lapsed: 'BankID-beställningen har gått ut: ingen skannade koden i tid',
  unconfirmed: 'The signing failed: the confirmation code was wrong too often',
  replaced: 'Cancelled, because a newer authorisation replaced it',
}

export function isEnded(authorisation: Authorisation): boolean {
  return authorisation.outcome !== null
}

/** Whether a user has started it. */
export function isInProgress(authorisation: Authorisation): boolean {
  return authorisation.outcome === null && authorisation.opened_at !== null
}

/** Whether the user has authorised and the confirmation code of the third party is still missing. */
export function isUnconfirmed(authorisation: Authorisation): boolean {
  return authorisation.outcome === null && authorisation.sca_status === 'unconfirmed'
}

/** Where the browser is redirected afterwards; null without the redirect approach. */
export function returnUrl(authorisation: Authorisation): string | null {
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
