/** Describes requests of checks. */

/** A call of an operation. */
export type CallRequest = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON, or as a form where the operation has one. */
  readonly body?: unknown
  /** Sent unchanged in place of `body`. */
  readonly text?: string
  readonly consentId?: string | undefined
  /** Replace the headers that the operation requires; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly method?: string
  /** Whether a 429 is returned to the check. By default it is waited for. */
  readonly returnsRateLimit?: boolean
}

/** A request outside the documented operations. */
export type RawRequest = {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}
