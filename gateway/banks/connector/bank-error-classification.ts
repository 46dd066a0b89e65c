/** Classifies every bank error, in one table: what happened, whether a retry may help, whose it is, what has ended, and the API error. */
import {
  apiError,
  InvalidRequestError,
  invalidRequest,
  type ValidationError,
  withRetryAfter,
} from '../../platform/http/errors/api-error.ts'
import { BankError, type BankErrorKind, missingAnswerOf, unavailabilityOf } from './bank-error.ts'

/** What follows from a kind of bank error. */
type BankErrorClass = {
  /** `unknown`: the bank may have executed the request, which is therefore never repeated. */
  readonly outcome: 'not-executed' | 'unknown'
  /** `temporary`: the same request may succeed later without anyone's action. */
  readonly persistence: 'temporary' | 'permanent'
  /** What has to change: the request, the user or their access, the bank, or our own configuration. */
  readonly cause: 'request' | 'user' | 'bank' | 'operator'
  /** What no longer exists, or is not valid any more, at the bank. */
  readonly ends: 'consent' | 'token' | 'resource' | null
  /** The error a partner reads. */
  readonly toApiError: (error: BankError) => Error
}

type Cause = BankErrorClass['cause']
type ApiErrorOf = BankErrorClass['toApiError']

/** The bank certainly did nothing, and nothing has ended. */
function rejected(cause: Cause, toApiError: ApiErrorOf, ends: BankErrorClass['ends'] = null): BankErrorClass {
  return { outcome: 'not-executed', persistence: 'permanent', cause, ends, toApiError }
}

function later(cause: Cause, toApiError: ApiErrorOf): BankErrorClass {
  return { ...rejected(cause, toApiError), persistence: 'temporary' }
}

const TOO_MANY_READS =
  'The bank allows no more reads today without the user. Send the PSU headers when the user is present'
/** Certificates, roles and registration are the operator's responsibility: partners get no detail. */
const MISCONFIGURED =
  'The connection to this bank has a fault that only the operator can repair; nothing was ordered or signed'

const classByKind: Readonly<Record<BankErrorKind, BankErrorClass>> = {
  'consent-invalid': rejected('user', quoting('INVALID_CONSENT', 'The bank does not accept the consent'), 'consent'),
  'token-invalid': rejected('user', quoting('INVALID_CONSENT', 'The bank requires the user to sign in again'), 'token'),
  'access-denied': rejected('user', quoting('ACCESS_DENIED', 'The bank denies access')),
  'unsupported-product': rejected('request', quoting('UNSUPPORTED_PRODUCT_BY_BANK', 'The bank does not offer this')),
  unsupported: rejected(
    'request',
    quoting('UNSUPPORTED_PRODUCT_BY_BANK', 'The bank offers no supported SCA approach for this'),
  ),
  'authentication-busy': later(
    'user',
    quoting('AUTHENTICATION_TEMPORARY_UNAVAILABLE', 'The bank cannot authenticate the user now'),
  ),
  'ocr-rejected': rejected('request', quoting('INVALID_OCR', 'The creditor requires a structured reference')),
  'account-unknown': rejected('user', quoting('INVALID_ACCOUNT', 'The bank does not know the account')),
  'order-rejected': rejected(
    'request',
    ({ validationErrors }) => new InvalidRequestError(validationErrors.map(toGeneralValidationError)),
  ),
  'due-date-rejected': rejected('request', ({ message }) => invalidRequest('.dueDate', message, 'InvalidDueDate')),
  'unknown-resource': rejected(
    'request',
    quoting('conflict', 'The bank does not hold this resource any more'),
    'resource',
  ),
  'expired-resource': rejected('request', quoting('conflict', 'This resource has expired at the bank'), 'resource'),
  'basket-rejected': rejected('request', quoting('conflict', 'The bank does not accept signing these together')),
  'cancellation-rejected': rejected('request', quoting('conflict', 'The bank does not cancel this payment')),
  'too-many-reads': later('bank', () => apiError('too-many-requests', TOO_MANY_READS, { retryAfterSeconds: 3600 })),
  'period-rejected': rejected('request', ({ message }) =>
    invalidRequest('.fromDate', `The bank does not provide entries for this period: ${message}`),
  ),
  'request-rejected': rejected('operator', quoting('bad-request', 'The bank rejects this request')),
  unavailable: later('bank', (error) =>
    unavailable(`${unavailabilityOf(error)}; nothing was done. Try again later`, 10),
  ),
  'outcome-unknown': {
    // For orders and cancellations `outcomeUnknown` reports the id; this is for a signing basket.
    ...later('bank', (error) =>
      unavailable(`${missingAnswerOf(error)}, and nothing was signed. You may send the request again`, 10),
    ),
    outcome: 'unknown',
  },
  misconfigured: rejected('operator', () => unavailable(MISCONFIGURED, 300)),
}

/** The error with this code, and the bank's text after ours. */
function quoting(code: Parameters<typeof apiError>[0], text: string): ApiErrorOf {
  return ({ message }) => apiError(code, `${text}: ${message}`)
}

function unavailable(message: string, retryAfterSeconds: number): Error {
  return apiError('unavailable', message, { retryAfterSeconds })
}

/** The error a partner reads, with the bank's own `Retry-After`. */
export function bankErrorToApiError(error: BankError): Error {
  return withRetryAfter(classByKind[error.kind].toApiError(error), error.laterCalls.retryAfterSeconds)
}

/** Whether the operator has to change something before the request can succeed. */
export function isCausedByOperator(error: unknown): error is BankError {
  return error instanceof BankError && classByKind[error.kind].cause === 'operator'
}

export function isBankError(error: unknown, ...kinds: readonly BankErrorKind[]): error is BankError {
  return error instanceof BankError && isOfKind(error, ...kinds)
}

/** Whether a bank error is of one of these kinds. */
export function isOfKind({ kind }: BankError, ...kinds: readonly BankErrorKind[]): boolean {
  return kinds.includes(kind)
}

/** Whether the bank certainly did not execute the request. False for anything that is not a bank error. */
export function isCertainlyNotExecuted(error: unknown): error is BankError {
  return error instanceof BankError && classByKind[error.kind].outcome === 'not-executed'
}

/** Whether the same request may succeed later without anyone's action. */
export function isTemporary({ kind }: BankError): boolean {
  return classByKind[kind].persistence === 'temporary'
}

/** Whether the request itself is at fault: neither another user nor a later attempt helps. */
export function isCausedByRequest({ kind }: BankError): boolean {
  return classByKind[kind].cause === 'request'
}

/** Whether the user's access has ended: the consent, or the token that opens it. */
export function endsAccess({ kind }: BankError): boolean {
  const { ends } = classByKind[kind]
  return ends === 'consent' || ends === 'token'
}

/** Whether this user may not do it: another one may, and a later attempt of the same user does not help. */
export function isDeniedToUser({ kind }: BankError): boolean {
  const { cause, persistence, ends } = classByKind[kind]
  return cause === 'user' && persistence === 'permanent' && ends === null
}

/** Whether the bank certainly does not hold the resource, or not any more. */
export function isResourceGone(error: unknown): error is BankError {
  return error instanceof BankError && classByKind[error.kind].ends === 'resource'
}

/** Whether the bank certainly holds no such consent, or does not accept it any more. */
export function isConsentGone(error: unknown): error is BankError {
  return isResourceGone(error) || isBankError(error, 'consent-invalid')
}

function toGeneralValidationError({ field, text }: BankError['validationErrors'][number]): ValidationError {
  return { code: 'InvalidRequest', reason: `The bank does not accept the field ${field}: ${text}`, path: '.' }
}
