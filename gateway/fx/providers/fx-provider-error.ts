/** Defines the errors of FX providers, independent of each provider's own codes. */
import type { BeneficiaryPart } from './beneficiary.ts'

/** Why a call to a provider failed. */
export type FxProviderErrorKind =
  /** Fields of the request were rejected; `validationErrors` says which. */
  | 'invalid'
  /** The rate is no longer held. */
  | 'quote-expired'
  /** The provider never trades this currency pair. */
  | 'currency-not-traded'
  /** There is no rate at the moment. */
  | 'rate-not-available'
  /** Outside the provider's trading hours, or past the cut-off of this date. */
  | 'closed'
  | 'due-date-rejected'
  /** The amount is outside the provider's limits. */
  | 'limit'
  /** Too late to cancel or to delete. */
  | 'too-late'
  | 'unknown-resource'
  /** Too many calls; `retryAfterSeconds` says when to retry. */
  | 'rate-limited'
  /** Our credentials are rejected or lack a permission; operators must act. */
  | 'login-rejected'
  /** Nothing was done; the same request may be repeated. */
  | 'unavailable'
  /** The request may have been executed: look it up by its request id. */
  | 'outcome-unknown'
  /** The response cannot be parsed. */
  | 'unreadable'

/** A field that a provider rejects. */
export type FxField =
  | BeneficiaryPart
  | 'amount'
  | 'amountScale'
  | 'buyCurrency'
  | 'sellCurrency'
  | 'dueDate'
  | 'reference'
  | 'reason'
  | 'purposeCode'
  | 'payer'

/** One rejected field; `part` is null if it has no equivalent here. */
export type FxFieldError = { readonly part: FxField | null; readonly code: string; readonly message: string }

type FxProviderErrorDetail = {
  readonly validationErrors?: readonly FxFieldError[]
  readonly retryAfterSeconds?: number
  /** The provider's own code. */
  readonly code?: string
  readonly status?: number
  readonly cause?: unknown
}

/** Thrown by connectors. The message is the provider's or our text and contains no data of the order. */
export class FxProviderError extends Error {
  readonly kind: FxProviderErrorKind
  readonly validationErrors: readonly FxFieldError[]
  readonly retryAfterSeconds: number | undefined
  readonly code: string | undefined
  readonly status: number | undefined

  constructor(kind: FxProviderErrorKind, message: string, detail: FxProviderErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'FxProviderError'
    this.kind = kind
    this.validationErrors = detail.validationErrors ?? []
    this.retryAfterSeconds = detail.retryAfterSeconds
    this.code = detail.code
    this.status = detail.status
  }
}

/** Whether the same request may succeed later. */
export const isTransient = {
  invalid: false,
  'quote-expired': false,
  'currency-not-traded': false,
  'rate-not-available': true,
  closed: true,
  'due-date-rejected': false,
  limit: false,
  'too-late': false,
  'unknown-resource': false,
  'rate-limited': true,
  'login-rejected': true,
  unavailable: true,
  'outcome-unknown': true,
  unreadable: true,
} as const satisfies Record<FxProviderErrorKind, boolean>

/** Whether the provider may have executed the request nevertheless. */
export function hasUnknownOutcome({ kind }: Pick<FxProviderError, 'kind'>): boolean {
  return kind === 'outcome-unknown' || kind === 'unreadable'
}
