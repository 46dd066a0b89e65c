/** Defines what the error catalogue says about a code in addition to its meaning. */

/** For the reader of the documentation; each is one or two sentences. */
export type ErrorAdvice = {
  /** What usually leads to the error. */
  readonly cause: string
  /** What the caller does about it. */
  readonly action: string
  /** Present where the cause can end while the request stays the same: a repetition may get another response. */
  readonly isTemporary?: true
}
