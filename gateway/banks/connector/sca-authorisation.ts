/** Types of SCA at banks: start, SCA approach, state, callback and tokens of an authorisation. */
import { Type } from 'typebox'
import { responseParser } from '../../platform/http/response-parser.ts'

/** Our URLs that a bank receives when an authorisation starts. */
export type ReturnUrls = {
  readonly success: string
  readonly failure: string
  /** For the bank's notifications; they only trigger a status request. */
  readonly notification: string
}

/** `preferred` is the SCA approach of the user's choice; null, or one that the bank lacks, gives the bank's default. */
export type AuthorisationRequest = {
  readonly back: ReturnUrls
  readonly preferred: 'redirect' | 'qr' | null
}

export type ScaApproachDetails =
  /** The browser is redirected to a host of the bank: explicit, implicit and OAuth. */
  | { readonly type: 'redirect'; readonly url: string }
  /** In the user's app; `text` is the bank's instruction. */
  | { readonly type: 'decoupled'; readonly text: string | null; readonly qr: QrCode | null }
  /** In an app or on a device of the user, who has to choose one of the bank's methods first. */
  | { readonly type: 'method-choice'; readonly methods: readonly ScaMethod[] }
  /** The bank requires no SCA. */
  | { readonly type: 'none' }

/** A method that the user may sign with, as the bank names it to the user. */
export type ScaMethod = {
  /** The bank's id. */
  readonly id: string
  readonly name: string
  readonly explanation: string | null
  /** Whether the user scans a code. */
  readonly hasCode: boolean
}

/** A code for the user's app to scan; image and code are null until the bank has created the first one. */
export type QrCode = {
  /** A PNG in base64. */
  readonly image: string | null
  readonly code: string | null
  /** `Dynamic` codes are read again every second. */
  readonly kind: 'Dynamic' | 'Static'
  /** Wall time. */
  readonly validUntil: Temporal.Instant
}

export type StartedAuthorisation = {
  readonly authorisationId: string
  readonly approach: ScaApproachDetails
  /**
   * A secret that the connector needs with the callback, as JSON with the `state` that it must carry; stored encrypted.
   * Null where it needs none.
   */
  readonly returnSecret: string | null
}

export type AuthorisationReference = {
  readonly authorisationId: string
  /** Whether the order had a signature before: some banks report the outcome only through the order's status. */
  readonly partlySigned: boolean
}

export type AuthorisationState = {
  /** `rejected`: the user declined. `cancelled`: the user left. `expired`: expired, e.g. the code was not scanned. */
  readonly state: 'open' | 'signed' | 'exempt' | 'rejected' | 'cancelled' | 'expired'
  /** The bank's own code, e.g. `finalised`. */
  readonly scaStatus: string
  readonly text: string | null
  /** The current dynamic code while it is open; a static code is only in the start response. */
  readonly qr: QrCode | null
  /** Whether it takes effect only after `complete`. */
  readonly unconfirmed: boolean
  /** The authorisation has ended, but the resource does not show the result yet. */
  readonly isOver?: true
}

/** The callback of a browser from the bank: query parameters of one of our return URLs. Untrusted input. */
export type AuthorisationCallback = {
  readonly query: Readonly<Record<string, string>>
  readonly returnSecret: string | null
  /** The return URLs of the started authorisation. */
  readonly back: ReturnUrls
}

const Returned = Type.Object({ state: Type.String({ minLength: 1 }) })
const readState = responseParser(Returned)

/** Whether a callback carries the `state` of the authorisation that it returns to. */
export function matchesReturnSecret(returnSecret: string, { state }: AuthorisationCallback['query']): boolean {
  return state !== undefined && readState(returnSecret)?.state === state
}

/** Tokens of a bank with an authorisation server; stored encrypted. */
export type BankTokens = {
  readonly accessToken: string
  /** Null where the bank issues none: the user has to sign in again. */
  readonly refreshToken: string | null
  /** Wall time. */
  readonly expiresAt: Temporal.Instant
  /** The server that issued them, by the URL of its metadata; they are sent to no other for refresh or revocation. */
  readonly server: { readonly metadata: string; readonly issuer: string }
}
