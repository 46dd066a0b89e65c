/** The way to services that are no banks and ask for no certificate: kept-alive connections, and limits on all that may wait. */
import { wallMilliseconds } from '../../platform/clock.ts'
import type { BankRequest, BankResponse } from '../connector/connector-dependencies.ts'
import { openCallGate } from './bank-call-limiter.ts'
import type { BankFetchLimits } from './bank-call-limits.ts'
import { type BankAgents, openBankAgents } from './bank-connection-pool.ts'
import { exchange } from './http-exchange.ts'

/** One call as it ended. */
export type PublicCall = {
  readonly service: string
  readonly operation: string
  /** An HTTP status, or `unreachable`. */
  readonly outcome: string
  readonly milliseconds: number
}

export type PublicLine = {
  /** Any answer whatever its status; redirects are not followed. Throws `BankUnreachable` without a whole one. */
  send(service: string, request: BankRequest): Promise<BankResponse>
  /** Waits for calls under way. */
  close(): Promise<void>
}

/** They are believed if everybody's authorities vouch for them. */
const NO_IDENTITY = { qwac: null, authorities: null }

/** Opens the way; nothing is asked yet. `observe` is told of every call that was made, and must not throw. */
export function openPublicLine(limits: BankFetchLimits, observe: (call: PublicCall) => void): PublicLine {
  const opened: { agents?: BankAgents } = {}
  const gate = openCallGate(limits)
  const observed = async (service: string, request: BankRequest): Promise<BankResponse> => {
    const begun = wallMilliseconds()
    const tell = (outcome: string) =>
      observe({ service, operation: request.operation, outcome, milliseconds: wallMilliseconds() - begun })
    try {
      // Opened by the first call: reading every authority's certificate takes longer than all else at start.
      opened.agents ??= openBankAgents(limits, () => NO_IDENTITY)
      const response = await exchange(opened.agents.current(), request, limits)
      tell(String(response.status))
      return response
    } catch (error) {
      tell('unreachable')
      throw error
    }
  }
  return {
    send: (service, request) => gate.pass(service, request, () => observed(service, request)),
    close: async () => {
      await opened.agents?.close()
    },
  }
}
