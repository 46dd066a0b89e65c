/** All that a connector gets of the world: a way to call banks, the time, and what messages are signed with. */
import type { KeyObject, X509Certificate } from 'node:crypto'
import type { Bank } from './bank.ts'

/** All a connector gets of the world. */
export type ConnectorTools = {
  readonly fetch: BankFetch
  /** Wall time, for dates in headers and signatures. */
  readonly now: () => Temporal.Instant
  /** The certificate that messages are signed with at present; none, where banks are spoken to unsigned. */
  readonly qseal?: () => { readonly certificate: X509Certificate; readonly key: KeyObject } | null
  /** What authorisation servers know us by: the licence in our certificate; null without one. */
  readonly clientId?: () => string | null
  /** An address of ours where a browser finds something to read. */
  readonly home?: string
}

/** Sends one request to a bank. Throws `BankUnreachable` when no whole answer came. */
export type BankFetch = (bank: Bank, request: BankRequest) => Promise<BankResponse>

export type BankRequest = {
  /** Names the operation in metrics and traces, e.g. `initiatePayment`. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type BankResponse = {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body as it came, where it may be no text. */
  readonly bytes?: Uint8Array
}
