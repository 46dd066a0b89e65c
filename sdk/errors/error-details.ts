/** The fields of the client's errors. */

/** One thing that is wrong with a request. */
export type HavnErrorItem = {
  /** The error code, as in the documentation. */
  readonly code: string
  /** Where it is in the request, for example `.amount.amount`; `.` is the whole request. */
  readonly path?: string
  /** What is wrong, and what to do. */
  readonly message: string
  /** The rejected value, where the service shows it. */
  readonly value?: unknown
  /** The rule that the value violates, where the service names it. */
  readonly rule?: unknown
  /** The URL of the code in the documentation. */
  readonly docs?: string
}

/** A validation error in its documented form. */
export type ValidationError = {
  /** The error code. */
  readonly code: string
  /** What is wrong. */
  readonly reason: string
  /** Where it is in the request, beginning with a dot. */
  readonly path: string
}

/** A code of `failure`. Services may send codes that this client does not know. */
export type FailureCode = string

/** What an error is constructed from; an absent part is undefined in the error. */
export type HavnErrorDetails = {
  readonly operation: string
  readonly code: string
  readonly status?: number | undefined
  readonly svcRequestId?: string | undefined
  readonly errors?: readonly HavnErrorItem[] | undefined
  readonly failure?: FailureCode | undefined
  readonly validationErrors?: readonly ValidationError[] | undefined
  readonly paymentId?: string | undefined
  readonly payrollId?: string | undefined
  readonly onboardingId?: string | null | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly cause?: unknown
}
