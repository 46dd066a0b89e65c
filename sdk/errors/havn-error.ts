/** The errors of the client: one base class, and one class per way in which a call can fail. */
import type { FailureCode, HavnErrorDetails, HavnErrorItem, ValidationError } from './error-details.ts'

/**
 * The base class of everything that a call throws, except its `signal`'s reason and a `TypeError` for wrong arguments.
 * `errors` says in one shape what is wrong, where and what to do about it.
 */
export class HavnError extends Error {
  /** The operation that failed, by its id; `issueToken` when no token could be obtained. */
  declare readonly operation: string
  /** The code of the first error: `InvalidAmount`, `ACCESS_DENIED`, `NotFound`, `TimedOut`, … New ones may come. */
  declare readonly code: string
  /** Where the first error is in the request, for example `.amount.amount`; undefined when it is not about a field. */
  declare readonly path: string | undefined
  /** The HTTP status; undefined when there was no response. */
  declare readonly status: number | undefined
  /** The id to quote to support; undefined when there was no response. */
  declare readonly svcRequestId: string | undefined
  /** All errors of the request, in the order of its fields. */
  declare readonly errors: readonly HavnErrorItem[]
  /** The `failure` code of the response, if any. */
  declare readonly failure: FailureCode | undefined
  /** The validation errors of the response in their documented form: `code`, `reason`, `path`. */
  declare readonly validationErrors: readonly ValidationError[]
  /** The payment that the error is about, if it names one. */
  declare readonly paymentId: string | undefined
  /** The payroll that the error is about, if it names one. */
  declare readonly payrollId: string | undefined
  /** The onboarding of an existing company; null when it was registered otherwise. */
  declare readonly onboardingId: string | null | undefined
  /** Seconds after which the service expects a retry to succeed, from `Retry-After`. */
  declare readonly retryAfterSeconds: number | undefined
  /** The key under which the request was sent: the same call with it repeats the request safely. */
  declare readonly idempotencyKey: string | undefined

  constructor(message: string, { cause, ...details }: HavnErrorDetails) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'HavnError'
    const { errors = [], validationErrors = [] } = details
    const parts = { ...details, errors, validationErrors, path: errors[0]?.path }
    // What is absent is not shown where the error is printed.
    Object.assign(this, Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)))
  }
}

/** 401, or a token that could not be obtained: client id, secret or environment are wrong. */
export class HavnAuthenticationError extends HavnError {
  override readonly name: string = 'HavnAuthenticationError'
}

/** 403: the partner, the company or the credentials may not do this. */
export class HavnPermissionError extends HavnError {
  override readonly name: string = 'HavnPermissionError'
}

/** 404: the resource does not exist, or it belongs to another partner. */
export class HavnNotFoundError extends HavnError {
  override readonly name: string = 'HavnNotFoundError'
}

/** 400, 422 and similar: the request is wrong. `errors` lists everything that is wrong with it. */
export class HavnValidationError extends HavnError {
  override readonly name: string = 'HavnValidationError'
}

/** 400 with a `failure` code: the request is well-formed; its consent, the bank or the service do not allow it. */
export class HavnRejectedError extends HavnError {
  override readonly name: string = 'HavnRejectedError'
}

/** 409: the request conflicts with another one, or with the state of what it is about. */
export class HavnConflictError extends HavnError {
  override readonly name: string = 'HavnConflictError'
}

/** 429: too many requests; `retryAfterSeconds` says when to go on. */
export class HavnRateLimitError extends HavnError {
  override readonly name: string = 'HavnRateLimitError'
}

/**
 * The bank was asked and its answer is not known: it may hold the order. Read the status of `paymentId` or `payrollId`;
 * never order again.
 */
export class HavnUnknownOutcomeError extends HavnError {
  override readonly name: string = 'HavnUnknownOutcomeError'
}

/** 5xx without an order: nothing was ordered, signed or cancelled with status 503, nothing is known with others. */
export class HavnServerError extends HavnError {
  override readonly name: string = 'HavnServerError'
}

/**
 * There was no response, or an incomplete one; `cause` says why. The request may have been executed: if it is an order,
 * repeat it with `idempotencyKey`, or look for it in the list.
 */
export class HavnConnectionError extends HavnError {
  override readonly name: string = 'HavnConnectionError'
}

/** No response within `timeoutSeconds`. */
export class HavnTimeoutError extends HavnConnectionError {
  override readonly name: string = 'HavnTimeoutError'
}

/**
 * The response is not one of this API, although its status reports success: the URL is that of another service, or
 * something on the way has changed it. An order may have been accepted: repeat it with `idempotencyKey`.
 */
export class HavnResponseError extends HavnError {
  override readonly name: string = 'HavnResponseError'
}
