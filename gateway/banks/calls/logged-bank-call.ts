/** Defines a logged call to a bank, and the bounds of its latency's histogram. */

/** A call for a payment, without its body and its headers. */
export type LoggedBankCall = {
  /** The order of ids is that in which calls were written. */
  readonly id: string
  /** When it began, in business time like everything that happens to a payment. */
  readonly at: Temporal.Instant
  /** What it did, as in metrics: `initiatePayment`. */
  readonly operation: string
  readonly method: string
  /** Without its query, and with tokens masked. */
  readonly path: string
  /** Null without a complete answer. */
  readonly status: number | null
  /** Why there was none. */
  readonly error: string | null
  readonly milliseconds: number
  /** `X-Request-ID` */
  readonly requestId: string | null
  /** The status or the errors in the bank's answer, without accounts and national ids. */
  readonly bankText: string | null
}

/** Of the answers: how long half of them took at most, and 95 of 100. Null without any. */
export type BankCallFigures = {
  readonly calls: number
  readonly answered: number
  readonly p50Milliseconds: number | null
  readonly p95Milliseconds: number | null
}

const GROWTH = 1.1

/** So many calls in a bucket. */
type BucketCount = { readonly bucket: number; readonly calls: number }

/** Everything up to a millisecond is in the first one. */
export function bucketOf(milliseconds: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(1, milliseconds)) / Math.log(GROWTH)))
}

/** The duration that so large a share of the calls did not exceed; null without calls. */
export function percentileOf(counts: readonly BucketCount[], share: number): number | null {
  const total = counts.reduce((sum, { calls }) => sum + calls, 0)
  let passed = 0
  for (const { bucket, calls } of counts.toSorted((one, other) => one.bucket - other.bucket)) {
    passed += calls
    if (passed >= total * share) {
      return GROWTH ** Math.max(0, bucket - 0.5)
    }
  }
  return null
}
