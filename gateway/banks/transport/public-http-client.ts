/** Sends HTTP requests to services other than banks, without a client certificate and with the limits of bank calls. */
import { wallMilliseconds } from '../../platform/clock.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { createBankCallLimiter } from './bank-call-limiter.ts'
import type { BankCallLimits } from './bank-call-limits.ts'
import { type BankConnectionPool, NO_IDENTITY, openBankConnectionPool } from './bank-connection-pool.ts'
import { exchange } from './http-exchange.ts'

export type PublicCall = {
  readonly service: string
  readonly operation: string
  /** An HTTP status, or `unreachable`. */
  readonly outcome: string
  readonly milliseconds: number
}

export type PublicHttpClient = {
  /** Returns the answer, whatever its status, without redirects. Throws `BankUnreachable` without a complete answer. */
  send(service: string, request: BankRequest): Promise<BankResponse>
  /** Waits for calls in flight. */
  close(): Promise<void>
}

/** Opens the client without connecting. `observe` is called for every finished call and must not throw. */
export function openPublicHttpClient(limits: BankCallLimits, observe: (call: PublicCall) => void): PublicHttpClient {
  const opened: { agents?: BankConnectionPool } = {}
  const limiter = createBankCallLimiter(limits)
  const observed = async (service: string, request: BankRequest): Promise<BankResponse> => {
    const startedAt = wallMilliseconds()
    const report = (outcome: string) =>
      observe({ service, operation: request.operation, outcome, milliseconds: wallMilliseconds() - startedAt })
    try {
      // Opened at the first call: loading all CA certificates would dominate the startup time.
      opened.agents ??= openBankConnectionPool(limits)
      const response = await exchange(opened.agents.dispatcherOf(NO_IDENTITY), request, limits)
      report(String(response.status))
      return response
    } catch (error) {
      report('unreachable')
      throw error
    }
  }
  return {
    send: (service, request) => limiter.pass(service, request, () => observed(service, request)),
    close: async () => {
      await opened.agents?.close()
    },
  }
}
