/** Defines a call to a bank as the log stores it, and the figures of all calls to a bank. */

/** A call for a payment, without its body and its headers. */
export type LoggedBankCall = {
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
