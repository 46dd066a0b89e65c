/** All that a connector gets of the world: a way to call banks, the time, and what messages are signed with. */
import type { KeyObject, X509Certificate } from 'node:crypto'
import type { Bank } from '../directory/bank.ts'
import type { SftpIdentity } from '../standards/iso20022/sftp-channel.ts'

/** All a connector gets of the world. */
export type ConnectorTools = {
  readonly fetch: BankFetch
  /** For answers of any size; without it they are whole ones, cut to size by `fetch`. */
  readonly stream?: BankStream
  /** Waits between two looks at what a bank is getting ready; real time unless a test has its own. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
  /** Wall time, for dates in headers and signatures. */
  readonly now: () => Temporal.Instant
  /** The certificate that messages are signed with at present; none, where banks are spoken to unsigned. */
  readonly qseal?: () => { readonly certificate: X509Certificate; readonly key: KeyObject } | null
  /** What servers of files know us by at present, and whom we take for them; null where there is no key. */
  readonly sftp?: () => Promise<SftpIdentity | null>
  /** What authorisation servers know us by: the licence in our certificate; null without one. */
  readonly clientId?: () => string | null
  /** An address of ours where a browser finds something to read. */
  readonly home?: string
}

/** A way of sending one request to a bank. Throws `BankUnreachable` when no whole answer came. */
export type BankWay<Answer extends BankResponse> = (bank: Bank, request: BankRequest) => Promise<Answer>

export type BankFetch = BankWay<BankResponse>

/** Answers as soon as the answer begins. */
export type BankStream = BankWay<BankStreamed>

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

/** An answer that is read while it comes: the body of a 200 is in `parts`, that of any other in `body`. */
export type BankStreamed = BankResponse & {
  /** Read once, and to the end or left; throws `BankUnreachable` where the rest does not come. */
  readonly parts: AsyncIterable<Uint8Array>
}
