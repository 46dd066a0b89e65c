/** The words in which every provider of exchange says no, whatever its own codes are. */
import type { BeneficiaryPart } from './beneficiary.ts'

/** Why a provider, or the way to it, did not do what was asked. */
export type FxRefusalKind =
  /** Parts of what was asked are not accepted; `problems` says which. */
  | 'invalid'
  /** The rate is held no more. */
  | 'quote-expired'
  /** There is no rate for this pair of currencies at all. */
  | 'currency-not-traded'
  /** There is none at the moment. */
  | 'rate-not-available'
  /** Outside the hours in which the provider deals, or past the day's end for this date. */
  | 'closed'
  | 'due-date-refused'
  /** The amount is more, or less, than the provider deals in. */
  | 'limit'
  /** It has come too far to be cancelled, or to be deleted. */
  | 'too-late'
  | 'unknown-resource'
  /** We asked too often; `retryAfterSeconds` says when to come back. */
  | 'rate-limited'
  /** Our login at the provider is not accepted, or may not do this: a matter for operators. */
  | 'login-refused'
  /** The provider did nothing; the same may be asked again. */
  | 'unavailable'
  /** The request may have arrived: ask for it by its request id. */
  | 'outcome-unknown'
  /** The provider answered what nobody can read. */
  | 'unreadable'

/** What a provider names as wrong. */
export type FxPart =
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

/** One part that is not accepted; null for what has no name here. */
export type FxProblem = { readonly part: FxPart | null; readonly code: string; readonly message: string }

type FxRefusalDetail = {
  readonly problems?: readonly FxProblem[]
  readonly retryAfterSeconds?: number
  /** The provider's own code. */
  readonly code?: string
  readonly status?: number
  readonly cause?: unknown
}

/** Thrown by connectors. The message is in the provider's or our own words and holds nothing of the order. */
export class FxRefusal extends Error {
  readonly kind: FxRefusalKind
  readonly problems: readonly FxProblem[]
  readonly retryAfterSeconds: number | undefined
  readonly code: string | undefined
  readonly status: number | undefined

  constructor(kind: FxRefusalKind, message: string, detail: FxRefusalDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'FxRefusal'
    this.kind = kind
    this.problems = detail.problems ?? []
    this.retryAfterSeconds = detail.retryAfterSeconds
    this.code = detail.code
    this.status = detail.status
  }
}

/** Whether the same may be asked again later without any change. */
export const isPassing = {
  invalid: false,
  'quote-expired': false,
  'currency-not-traded': false,
  'rate-not-available': true,
  closed: true,
  'due-date-refused': false,
  limit: false,
  'too-late': false,
  'unknown-resource': false,
  'rate-limited': true,
  'login-refused': true,
  unavailable: true,
  'outcome-unknown': true,
  unreadable: true,
} as const satisfies Record<FxRefusalKind, boolean>

/** Whether the provider may have done it all the same. */
export function leavesInDoubt({ kind }: Pick<FxRefusal, 'kind'>): boolean {
  return kind === 'outcome-unknown' || kind === 'unreadable'
}
