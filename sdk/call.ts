/** What a call is made of: the options of every call, and the untyped form of its inputs. */

/** The user's current session, as the partner forwards it. */
export type PsuSession = {
  /** The IP address of the current session; never a stored one. */
  readonly ipAddress: string
  /** The User-Agent of the user's browser. */
  readonly userAgent: string
  /** Further headers for the bank, such as `PSU-Accept-Language`. */
  readonly headers?: { readonly [name in `PSU-${string}`]: string }
}

/** The options that every call accepts in addition to the inputs of its operation. */
export type CallOptions = {
  /** Aborts the call, its retries included; the reason of the signal is thrown. */
  signal?: AbortSignal | undefined
  /** The timeout of each attempt in seconds, in place of that of the client. */
  timeoutSeconds?: number | undefined
  /** The maximum number of retries, in place of that of the client; 0 disables retries. */
  maxRetries?: number | undefined
}

/** The untyped form of a call; the typed methods ensure that it has the right fields. */
export type Call = {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly consentId?: string | undefined
  readonly psu?: PsuSession | undefined
  readonly idempotencyKey?: string | undefined
  /** The media type of the response where it is not JSON. */
  readonly accept?: string | undefined
} & Readonly<CallOptions>
