/** Opens the HTTP transport to a provider: keep-alive connections, limits on time and size, no redirects. */
import type { BankRequest, BankResponse } from '../../banks/connector/connector-dependencies.ts'
import { BANK_CALL_LIMITS, type BankCallLimits } from '../../banks/transport/bank-call-limits.ts'
import { openPublicHttpClient } from '../../banks/transport/bank-http-client.ts'

/** A finished call; `outcome` is the HTTP status or `unreachable`. */
export type ProviderCall = {
  readonly provider: string
  readonly operation: string
  readonly outcome: string
  readonly milliseconds: number
}

/** Called after every call; must not throw. */
export type ProviderObserver = (call: ProviderCall) => void

export type ProviderTransport = {
  /** Returns the response, whatever its status. Throws `BankUnreachable` without a complete one. */
  send(request: BankRequest): Promise<BankResponse>
  /** Waits for calls in flight. */
  close(): Promise<void>
}

/** Quotes and bookings are made within a request of a partner or user. */
const PROVIDER_LIMITS: BankCallLimits = {
  ...BANK_CALL_LIMITS,
  connectMilliseconds: 3_000,
  headersMilliseconds: 15_000,
  callMilliseconds: 20_000,
  responseBytesMax: 4 * 1024 * 1024,
  connectionsPerHostMax: 64,
  callsPerBankMax: 48,
  queuePerBankMax: 256,
  queueMilliseconds: 5_000,
  /** No circuit breaker: jobs have their own backoff, and a request for a quote fails within seconds. */
  failuresInRowMax: Number.MAX_SAFE_INTEGER,
}

/** Makes no call yet. */
export function openProviderTransport(
  provider: string,
  { observe, limits = {} }: { readonly observe: ProviderObserver; readonly limits?: Partial<BankCallLimits> },
): ProviderTransport {
  const transport = openPublicHttpClient({ ...PROVIDER_LIMITS, ...limits }, ({ service, ...call }) =>
    observe({ provider: service, ...call }),
  )
  return { send: (request) => transport.send(provider, request), close: () => transport.close() }
}
