/** The dependencies of connectors: HTTP calls to banks, the clock, and signing identities. */
import type { KeyObject, X509Certificate } from 'node:crypto'
import type { Deviation } from '../../platform/http/tolerant-reader.ts'
import type { Bank } from './bank.ts'

export type ConnectorDependencies = {
  readonly fetch: BankFetch
  /** For answers of any size. */
  readonly stream: BankStream
  /** Receives how answers of a bank differ from its standard. */
  readonly observeDeviations: DeviationObserver
  /** Waits between two polls for a result that the bank prepares; real time except in tests. */
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** Wall time, for dates in headers and signatures. */
  readonly now: () => Temporal.Instant
  /** Our current certificates for a bank. Throws where those that are chosen for it are not configured. */
  readonly identity: (bank: Bank) => SigningIdentity
  /** The current SFTP key and known hosts; null where there is no key. */
  readonly sftp: () => Promise<SftpIdentity | null>
  /** Our base URL. */
  readonly home: string
  /** The address from which banks see our calls; null where none is configured. */
  readonly tppIpAddress: string | null
}

/** Certificates, as far as connectors use them. */
export type SigningIdentity = {
  /** The certificate for signing messages; null where requests are not signed. */
  readonly qseal: { readonly certificate: X509Certificate; readonly key: KeyObject } | null
  /** Our licence number in the other one is our client id at authorisation servers. */
  readonly qwac: { readonly organizationIdentifier: string | null } | null
}

/** Our private key, and the known hosts. */
export type SftpIdentity = {
  /** A private key in OpenSSH or PEM format, without passphrase. */
  readonly privateKey: string
  /** Lines of a `known_hosts` file. */
  readonly knownHosts: string
}

/** How an answer differs from the standard; `unknown-status`: a status without a meaning in it. */
export type AnswerDeviation = Omit<Deviation, 'effect'> & { readonly effect: Deviation['effect'] | 'unknown-status' }

/** Is called once for an answer, or a list of several pages; must not throw. */
export type DeviationObserver = (
  answer: { readonly bank: string; readonly operation: string },
  deviations: readonly AnswerDeviation[],
) => void

/** Sends one request to a bank. Throws `BankUnreachable` without a complete answer. */
export type SendBankRequest<Answer extends BankResponse> = (bank: Bank, request: BankRequest) => Promise<Answer>

export type BankFetch = SendBankRequest<BankResponse>

/** Resolves as soon as the response begins. */
export type BankStream = SendBankRequest<StreamedBankResponse>

export type BankRequest = {
  /** Names the operation in metrics and traces, e.g. `initiatePayment`. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * The id of the payment, consent, account or basket at the bank that it reads or changes. Failures of one of them are
   * not failures of the bank. Undefined for a call that creates one, or asks for a token.
   */
  readonly resource?: string | undefined
  /** Ends the call without an answer. */
  readonly signal?: AbortSignal
  /** No user is present: the call waits for as long as the bank has requested. */
  readonly unattended?: boolean
  /** The payments that it is about, for the log of bank calls. */
  readonly about?: PaymentsOfCall
  /** What the answer says, without account numbers and national ids. */
  readonly summarise?: (response: BankResponse) => string | null
}

/** Orders of payrolls are not among them: their calls are counted, and not logged. */
export type PaymentsOfCall = { readonly partnerId: string; readonly paymentIds: readonly string[] }

export type BankResponse = {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The raw body, for content that is not text. */
  readonly bytes?: Uint8Array
}

/** A streamed answer: the body of a 200 is in `parts`, that of any other status in `body`. */
export type StreamedBankResponse = BankResponse & {
  /** Can be iterated once and abandoned early; throws `BankUnreachable` where the answer is incomplete. */
  readonly parts: AsyncIterable<Uint8Array>
}
