/** How users sign at banks: the ways in which that begins, how it stands, and what a browser brings back from it. */

/** Addresses of ours that a bank is given when an authorisation begins. */
export type ReturnAddresses = {
  readonly success: string
  readonly failure: string
  /** Where the bank may tell that something changed; a hint and no more. */
  readonly notification: string
}

/** How the user would like to sign; null leaves it to the bank. A way that the bank has not is not insisted on. */
export type AuthorisationAsked = {
  readonly back: ReturnAddresses
  readonly preferred: 'redirect' | 'qr' | null
}

/** How a user gives a signature. */
export type AuthorisationWay =
  /** The browser goes there, and its host is one of the bank's: explicit, implicit and OAuth alike. */
  | { readonly type: 'redirect'; readonly url: string }
  /** In the user's app; `text` is what the bank says to do. */
  | { readonly type: 'decoupled'; readonly text: string | null; readonly qr: QrCode | null }
  /** The bank wants no signature. */
  | { readonly type: 'none' }

/** A code that the user's app scans; neither image nor code where the bank is about to show the first of its codes. */
export type QrCode = {
  /** A PNG in base64. */
  readonly image: string | null
  readonly code: string | null
  /** `Dynamic` ones are read anew each second. */
  readonly kind: 'Dynamic' | 'Static'
  /** Wall time. */
  readonly validUntil: Temporal.Instant
}

export type StartedAuthorisation = {
  readonly authorisationId: string
  readonly way: AuthorisationWay
  /** What the connector needs when the user comes back; whoever keeps it seals it. Null where it needs nothing. */
  readonly returnSecret: string | null
}

export type BegunAuthorisation = {
  readonly authorisationId: string
  /** Some banks tell how it ended by the order alone, which somebody may have signed before it began. */
  readonly partlySigned: boolean
}

export type AuthorisationState = {
  /** `refused` and `cancelled` are both failed: the user said no, or left. `lapsed`: its time passed, e.g. nobody scanned. */
  readonly state: 'open' | 'signed' | 'exempt' | 'refused' | 'cancelled' | 'lapsed'
  /** The bank's own word, e.g. `finalised`. */
  readonly scaStatus: string
  readonly text: string | null
  /** A fresh code while it is open and shown as a dynamic one; a static code is the one that it began with. */
  readonly qr: QrCode | null
  /** Whether it counts only after `complete`. */
  readonly unconfirmed: boolean
  /** The bank says that it is over, and what it would have signed does not show it yet, but may in a moment. */
  readonly isOver?: true
}

/** What the browser brought back from the bank: query parameters of one of our return addresses. Nothing in it is believed. */
export type BroughtBack = {
  readonly query: Readonly<Record<string, string>>
  readonly returnSecret: string | null
  /** The addresses that the authorisation began with. */
  readonly back: ReturnAddresses
}

/** What opens a user's data at a bank with an authorisation server; whoever keeps them seals them. */
export type BankTokens = {
  readonly accessToken: string
  /** Null where the bank gives none: then the user signs in anew. */
  readonly refreshToken: string | null
  /** Wall time. */
  readonly expiresAt: Temporal.Instant
  readonly server: TokenServer
}

/** The authorisation server that gave tokens: they are renewed there, and shown to no other. */
export type TokenServer = {
  /** The address of its description. */
  readonly metadata: string
  readonly issuer: string
}

/** What a renewal takes. */
export type RenewableTokens = Pick<BankTokens, 'server'> & { readonly refreshToken: string }

/** What ending a grant takes. */
export type EndableTokens = Pick<BankTokens, 'server' | 'refreshToken' | 'accessToken'>
