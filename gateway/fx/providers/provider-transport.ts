/** The way to a provider: kept-alive connections, limits on everything that may wait or grow, no redirects. */

import { BankUnreachable } from '../../banks/connector/bank-error.ts'
import type { BankRequest, BankResponse } from '../../banks/connector/connector-dependencies.ts'
import { BANK_FETCH_LIMITS, type BankFetchLimits } from '../../banks/transport/bank-call-limits.ts'
import { openPublicLine } from '../../banks/transport/public-http-client.ts'

export type ProviderRequest = BankRequest
export type ProviderResponse = BankResponse

/** One call as it ended: an HTTP status, or `unreachable`. */
export type ProviderCall = {
  readonly provider: string
  readonly operation: string
  readonly outcome: string
  readonly milliseconds: number
}

/** Is told of every call that was made; must not throw. */
export type ProviderObserver = (call: ProviderCall) => void

/** Why no whole answer came; `sent` tells whether the provider may have received the request. */
export class ProviderUnreachable extends Error {
  readonly sent: boolean

  constructor(sent: boolean, cause: unknown) {
    super(sent ? 'The provider gave no whole answer' : 'The provider could not be reached', { cause })
    this.name = 'ProviderUnreachable'
    this.sent = sent
  }
}

export type ProviderLine = {
  /** Any answer whatever its status. Throws `ProviderUnreachable` without a whole one. */
  send(request: ProviderRequest): Promise<ProviderResponse>
  /** Waits for calls under way. */
  close(): Promise<void>
}

/** A quote is asked for within a partner's request, and a booking within its user's. */
const PROVIDER_LIMITS: BankFetchLimits = {
  ...BANK_FETCH_LIMITS,
  connectMilliseconds: 3_000,
  headersMilliseconds: 15_000,
  callMilliseconds: 20_000,
  responseBytesMax: 4 * 1024 * 1024,
  connectionsPerHostMax: 64,
  callsPerBankMax: 48,
  queuePerBankMax: 256,
  queueMilliseconds: 5_000,
  /** It is never left alone: jobs have delays of their own, and whoever waits for a quote is told within seconds. */
  failuresInRowMax: Number.MAX_SAFE_INTEGER,
}

/** Opens the way to one provider; nothing is asked yet. */
export function openProviderLine(
  provider: string,
  { observe, limits = {} }: { readonly observe: ProviderObserver; readonly limits?: Partial<BankFetchLimits> },
): ProviderLine {
  const line = openPublicLine({ ...PROVIDER_LIMITS, ...limits }, ({ service, ...call }) =>
    observe({ provider: service, ...call }),
  )
  return {
    send: async (request) => {
      try {
        return await line.send(provider, request)
      } catch (error) {
        throw error instanceof BankUnreachable ? new ProviderUnreachable(error.sent, error) : error
      }
    },
    close: () => line.close(),
  }
}
