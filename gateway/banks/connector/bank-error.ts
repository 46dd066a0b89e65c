/** The words in which every connector says no, whatever the bank's own codes are. */

/** Why a bank, or the way to it, did not do what was asked. */
export type BankRefusalKind =
  /** The consent at the bank is unknown, ended or not yet given. */
  | 'consent-invalid'
  /** The access token is missing, unknown or has run out; tokens may be refreshed where there are some. */
  | 'token-invalid'
  /** The user may not do this with this account. */
  | 'access-denied'
  | 'unsupported-product'
  /** The bank offers no way to sign that is spoken here. */
  | 'unsupported'
  /** Another authentication of the same user is under way. */
  | 'authentication-busy'
  /** The receiver demands a structured reference. */
  | 'ocr-refused'
  | 'account-unknown'
  /** Parts of the order are not accepted; `problems` says which. */
  | 'order-refused'
  | 'due-date-refused'
  /** The bank holds nothing under this id. */
  | 'unknown-resource'
  /** The bank held it and let it lapse. */
  | 'expired-resource'
  /** These orders cannot be signed together; each by itself perhaps. */
  | 'basket-refused'
  /** Too late, or never possible at this bank. */
  | 'cancellation-refused'
  | 'too-many-reads'
  /** The bank shows nothing of so long ago, or of so many days at once. */
  | 'period-refused'
  /** The bank was certainly not reached, or certainly did nothing. */
  | 'unavailable'
  /** The bank may or may not have done it. */
  | 'outcome-unknown'
  /** Our certificate, signature, role or configuration is at fault. */
  | 'misconfigured'

/** One part of an order that a bank does not accept. */
export type OrderProblem = {
  /** Of a bulk: the payment that it is a part of, from 0; absent where it is of the whole. */
  readonly position?: number
  readonly field:
    | 'debtorAccount'
    | 'debtorName'
    | 'creditorAccount'
    | 'creditorName'
    | 'creditorAgent'
    | 'creditorAddress'
    | 'regulatoryReporting'
    | 'amount'
    | 'remittance'
    | 'dueDate'
    | 'endToEndId'
    | 'other'
  /** The standard's name of what is `other`, where the bank names it, e.g. `paymentInformationId`. */
  readonly member?: string
  readonly cause: 'too-long' | 'characters' | 'invalid'
  readonly text: string
}

/** Thrown by connectors; `message` is the bank's text, redacted of account numbers and national ids. */
export class BankRefusal extends Error {
  readonly kind: BankRefusalKind
  readonly problems: readonly OrderProblem[]

  constructor(kind: BankRefusalKind, message: string, problems: readonly OrderProblem[] = [], cause?: unknown) {
    super(message, { cause })
    this.name = 'BankRefusal'
    this.kind = kind
    this.problems = problems
  }
}

/** Thrown when the bank has been read too often; `retryAfterSeconds` is its word on when to come back, if it gave one. */
export class TooManyReads extends BankRefusal {
  readonly retryAfterSeconds: number | null

  constructor(message: string, retryAfterSeconds: number | null) {
    super('too-many-reads', message)
    this.name = 'TooManyReads'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether a bank says for certain that it does not hold what it was asked about, or no more. */
export function isGone(error: unknown): error is BankRefusal {
  return error instanceof BankRefusal && (error.kind === 'unknown-resource' || error.kind === 'expired-resource')
}

/** Thrown by the outgoing call when no whole answer came; `sent` tells whether the bank may have received the request. */
export class BankUnreachable extends Error {
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'BankUnreachable'
    this.sent = sent
  }
}
