/** How the house says no to a partner: kinds of refusal, and problems found in a body. */
import type { RefusalCode } from '../../../../contract/errors/coded-errors.ts'
import type { FailureCode, ParsingCode, ParsingError, ValidationCode } from '../../../../contract/errors/error-codes.ts'
import type { TokenErrorCode } from '../../../../contract/token.ts'

/** Refusals that carry no code of the contract. */
export type RefusalKind =
  | 'bad-request'
  /** There is no body, or one that is not JSON. */
  | 'unreadable'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  /** Nothing was ordered, signed or cancelled; the request may be sent again. */
  | 'unavailable'
  /** The bank was asked and its answer is not known; names the order. */
  | 'outcome-unknown'

/** A code of the contract, or a kind that has none. */
export type RefusalReason = FailureCode | RefusalCode | RefusalKind

/** Members that a refusal's body may carry besides `message`. */
export type RefusalExtras = {
  readonly paymentId?: string
  readonly payrollId?: string
  readonly retryAfterSeconds?: number
  readonly allow?: string
  /** Of a request with a token that is not valid (RFC 6750, 3.1); one without a token is challenged without an error. */
  readonly tokenError?: 'invalid_token'
  /** The onboarding that an existing company came from. */
  readonly onboardingId?: string | null
}

/** One thing wrong with a body; `path` starts with a dot, e.g. `.transactions[3].amount.amount`. */
export type Problem = {
  readonly code: ValidationCode
  readonly reason: string
  readonly path: string
  /** Of a problem of shape: what keeps the part from being read. */
  readonly parsing?: ParsingCode
  /** The part has another type than its schema says. */
  readonly isMistyped?: true
}

/** The reason as a sentence: one that has no subject gets the part that it is about, for example `dueDate is required`. */
export function withSubject<Told extends { readonly path: string; readonly reason: string }>(told: Told): Told {
  const { path, reason } = told
  return /^\p{Ll}/u.test(reason) && !reason.startsWith(`${subjectOf(path)} `)
    ? { ...told, reason: `${subjectOf(path)} ${reason}` }
    : told
}

/** The last member of a path, `payments[3]` of `.payments[3]`; the body where there is none. */
export function subjectOf(path: string): string {
  const [, member = ''] = /(?:^|\.)([^.]*)$/.exec(path) ?? []
  return member === '' ? 'The body' : member
}

/** Thrown when we decide not to do what was asked. Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly reasonCode: RefusalReason
  readonly extras: RefusalExtras

  constructor(reasonCode: RefusalReason, message: string, extras: RefusalExtras = {}) {
    super(message)
    this.name = 'Refusal'
    this.reasonCode = reasonCode
    this.extras = extras
  }
}

/** Thrown by the token endpoint, whose errors have the form of RFC 6749. */
export class OAuthRefusal extends Error {
  readonly error: TokenErrorCode

  constructor(error: OAuthRefusal['error'], description: string) {
    super(description)
    this.name = 'OAuthRefusal'
    this.error = error
  }
}

/** Thrown with every problem of a body at once, in the order of the body. */
export class Invalid extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(`The request has ${problems.length} problem${problems.length === 1 ? '' : 's'}`)
    this.name = 'Invalid'
    this.problems = problems.map(withSubject)
  }
}

/** Thrown for an `Idempotency-Key` that comes again with another body or another consent. */
export class ReusedKey extends Invalid {
  constructor() {
    const reason = 'The Idempotency-Key was used before with another body or another consent-id'
    super([{ code: 'InvalidRequest', reason, path: '.' }])
    this.name = 'ReusedKey'
  }
}

/** Thrown with what keeps a request from being read, by operations that tell that apart from everything else. */
export class Unreadable extends Error {
  readonly told: ParsingError

  constructor(code: ParsingCode, { reason, path }: Pick<Problem, 'reason' | 'path'>) {
    const told = withSubject({ code, reason, path })
    super(told.reason)
    this.name = 'Unreadable'
    this.told = told
  }
}

/** Makes the refusal to throw: `throw refuse('ACCESS_DENIED', 'The debtor account is not on this consent')`. */
export function refuse<Reason extends Exclude<RefusalReason, 'outcome-unknown'>>(
  reasonCode: Reason,
  message: string,
  extras?: Reason extends 'unavailable' ? Unnamed : RefusalExtras,
): Refusal {
  return new Refusal(reasonCode, message, extras)
}

type Unnamed = RefusalExtras & { readonly paymentId?: never; readonly payrollId?: never }

/** The order that a refusal is about, as partners know it. */
export type NamedOrder = { readonly paymentId: string } | { readonly payrollId: string }

/** Makes the only 503 that names an order: the bank was asked and its answer is not known. `detail` says what to do. */
export function outcomeUnknown(order: NamedOrder, detail: string, retryAfterSeconds?: number): Refusal {
  const extras = retryAfterSeconds === undefined ? order : { ...order, retryAfterSeconds }
  return new Refusal('outcome-unknown', `The bank was asked and its answer is not known: ${detail}`, extras)
}

/** Makes the refusal of a body with one problem. */
export function invalid(path: string, reason: string, code: ValidationCode = 'InvalidRequest'): Invalid {
  return new Invalid([{ code, reason, path }])
}
