/** The errors that connectors throw, independent of the bank's own codes. */
import tables from '../../../data/bank-codes.json' with { type: 'json' }

/** Classification of errors of a bank or of the connection to it. */
export type BankErrorKind =
  /** The consent at the bank is unknown, ended or not yet authorised. */
  | 'consent-invalid'
  /** The access token is missing, unknown or expired; it may be refreshed. */
  | 'token-invalid'
  /** The user may not do this with this account. */
  | 'access-denied'
  | 'unsupported-product'
  /** The bank offers no SCA approach that is supported. */
  | 'unsupported'
  /** Another authentication of the same user is in progress. */
  | 'authentication-busy'
  /** The creditor requires a structured reference. */
  | 'ocr-rejected'
  | 'account-unknown'
  /** Fields of the order are not accepted; `validationErrors` lists them. */
  | 'order-rejected'
  | 'due-date-rejected'
  /** The bank does not know this id. */
  | 'unknown-resource'
  /** The resource has expired at the bank. */
  | 'expired-resource'
  /** These orders cannot be signed in one basket; single signing may be possible. */
  | 'basket-rejected'
  /** The order can no longer be cancelled, or the bank never cancels. */
  | 'cancellation-rejected'
  | 'too-many-reads'
  /** The period is too old or too long for the bank. */
  | 'period-rejected'
  /** The bank rejects a request that follows its own profile, and nothing of the order or the user explains why. */
  | 'request-rejected'
  /** The bank certainly received nothing, or certainly did nothing. */
  | 'unavailable'
  /** The bank may or may not have processed the request. */
  | 'outcome-unknown'
  /** Our certificate, signature, role or configuration is at fault. */
  | 'misconfigured'

/** A field of an order that a bank does not accept. */
export type OrderError = {
  /** For a bulk: index of the payment, from 0; absent where the error is about the bulk itself. */
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
  /** For `other`: the field's name in the standard, where the bank names it, e.g. `paymentInformationId`. */
  readonly member?: string
  readonly cause: 'too-long' | 'characters' | 'invalid'
  readonly text: string
}

/** What a bank says about later calls. */
export type LaterCalls = {
  /** After how long; null where it does not say. */
  readonly retryAfterSeconds: number | null
  /** It limits how often it is called (429). */
  readonly isRateLimit: boolean
  /** It is out of service for everything (503), as in a maintenance window. */
  readonly isOutOfService?: boolean
}

/** Thrown by connectors; `message` is the bank's text, redacted of account numbers and national ids. */
export class BankError extends Error {
  override name = 'BankError'
  readonly kind: BankErrorKind
  readonly validationErrors: readonly OrderError[]
  laterCalls: LaterCalls = { retryAfterSeconds: null, isRateLimit: false }

  constructor(kind: BankErrorKind, message: string, validationErrors: readonly OrderError[] = [], cause?: unknown) {
    super(message, { cause })
    this.kind = kind
    this.validationErrors = validationErrors
  }

  /** The same error, with what the bank, or the error that it replaces, says about later calls. */
  saying(laterCalls: LaterCalls): this {
    this.laterCalls = laterCalls
    return this
  }
}

/** Thrown when the bank acknowledges an order under an id that no call can name: only an operator can find the order there. */
export class UnusableOrderIdError extends BankError {
  override name = 'UnusableOrderIdError'
  /** As a JSON string: the id may contain any character. */
  readonly quotedId: string

  constructor(message: string, quotedId: string) {
    super('outcome-unknown', message)
    this.quotedId = quotedId
  }
}

/** Thrown for a 401 that names no error: a gateway in front of the bank may have rejected anything. */
export class UnexplainedTokenRejection extends BankError {
  override name = 'UnexplainedTokenRejection'
}

/** Thrown for an answer of which Havn cannot read what it needs; the kind is that of a call without an answer. */
export class UnreadableAnswerError extends BankError {
  override name = 'UnreadableAnswerError'
}

/** Codes of Node and OpenSSL for a handshake that failed, or a certificate that does not verify. */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERROR_IN_C|INVALID_(CA|PURPOSE)$|PATH_LENGTH_|HOSTNAME_|EPROTO$)/

/** Thrown by an HTTP call without a complete answer; `sent`: the bank may have received the request. */
export class BankUnreachable extends Error {
  override name = 'BankUnreachable'
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause })
    this.sent = sent
  }

  /** Why no TLS connection was made; null for every other reason. */
  get tlsCode(): string | null {
    const { cause } = this
    const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    return TLS_CODE.test(code) ? code : null
  }
}

/** Thrown for a call that was not made, because of our own limits or an open circuit: it says nothing about the bank. */
export class BankCallNotMade extends BankUnreachable {
  /** Where the bank has asked us not to call it yet. */
  readonly laterCalls: LaterCalls | undefined

  constructor(
    message: string,
    { cause, laterCalls }: { readonly cause?: unknown; readonly laterCalls?: LaterCalls } = {},
  ) {
    super(message, false, cause)
    this.laterCalls = laterCalls
  }
}

/** After how long the bank requests the next call; null where it does not say. */
export function retryAfterOf(error: unknown): number | null {
  return error instanceof BankError ? error.laterCalls.retryAfterSeconds : null
}

/** Whether the bank answered, in a way that does not help: it can be reached. */
export function isUnusableAnswer(error: BankError): boolean {
  return error instanceof UnreadableAnswerError || error.kind !== 'unavailable'
}

/** Whether the bank answers everything alike, because it is out of service. */
export function isOutOfService(error: unknown): error is BankError {
  return error instanceof BankError && error.laterCalls.isOutOfService === true
}

/** Why a bank is unavailable, in a clause for partners: of an error that says that it did nothing. */
export function unavailabilityOf(error: BankError): string {
  if (error instanceof UnreadableAnswerError) {
    return 'The bank answered in a form that Havn cannot read'
  }
  if (error.laterCalls.isRateLimit) {
    return 'The bank limits how often it is called'
  }
  return error.cause instanceof BankUnreachable && error.cause.tlsCode !== null
    ? 'No secure connection to the bank can be established'
    : 'The bank cannot be reached at present'
}

/** The same of an error that says that the bank may have done it. */
export function missingAnswerOf(error: BankError): string {
  return error instanceof UnreadableAnswerError ? unavailabilityOf(error) : 'The bank did not answer'
}

type BankCode = { readonly code: string; readonly meaning: string; readonly source: string }

type Table = { readonly source: string; readonly meanings: Readonly<Record<string, string>> }

/** A reason before a message code: no code is in two tables. */
const bankCodes: ReadonlyMap<string, BankCode> = new Map(
  Object.values<Table>(tables).flatMap(({ source, meanings }) =>
    Object.entries(meanings).map(([code, meaning]): [string, BankCode] => [code, { code, meaning, source }]),
  ),
)

const WORDS = /\w+/g

/** The codes in a text of a bank, in their order. A lower-case word is a code only in a text of nothing but codes. */
export function bankCodesIn(text: string): readonly BankCode[] {
  const words = new Set(text.match(WORDS) ?? [])
  const found = [...words].flatMap((word) => bankCodes.get(word) ?? [])
  return found.length === words.size ? found : found.filter(({ code }) => code === code.toUpperCase())
}

/** The reason with its meaning, as in `AC04: the account is closed`; the code alone where it is unknown. */
export function describeReason(reason: string): string {
  const meaning = new Map<string, string>(Object.entries(tables.reasons.meanings)).get(reason)
  return meaning === undefined ? reason : `${reason}: ${meaning}`
}
