/** The way to registries: kept-alive connections with the limits of calls to banks, and tighter ones where people wait. */
import { type BankAgents, openBankAgents } from '../banks/bank-agents.ts'
import { BANK_FETCH_LIMITS, type BankFetchLimits } from '../banks/bank-fetch.ts'
import { BankUnreachable } from '../banks/bank-refusal.ts'
import { openCallGate } from '../banks/call-gate.ts'
import type { BankResponse } from '../banks/connector-tools.ts'
import { exchange } from '../banks/http-exchange.ts'
import { wallMilliseconds } from '../foundation/clock.ts'
import { RegistryUnavailable } from './company-registry.ts'

/** One question to a registry. */
export type RegistryRequest = {
  readonly registry: string
  /** Names the question in metrics, e.g. `readRoles`. */
  readonly operation: string
  readonly url: string
  readonly accept: string
}

/** One call as it ended: an HTTP status, or `unreachable`. */
export type RegistryCall = Pick<RegistryRequest, 'registry' | 'operation'> & {
  readonly outcome: string
  readonly milliseconds: number
}

export type RegistryLine = {
  /** Any answer whatever its status; redirects are not followed. Throws `RegistryUnavailable` without a whole one. */
  get(request: RegistryRequest): Promise<BankResponse>
  /** Waits for calls under way. */
  close(): Promise<void>
}

/** Somebody looks at a page until the answer is there, so it comes soon or not at all; nothing is asked twice. */
const REGISTRY_LIMITS: BankFetchLimits = {
  ...BANK_FETCH_LIMITS,
  connectMilliseconds: 3_000,
  headersMilliseconds: 6_000,
  bodyMilliseconds: 3_000,
  callMilliseconds: 8_000,
  /** The roles of the largest companies are some 100 kB. */
  responseBytesMax: 2 * 1024 * 1024,
  connectionsPerHostMax: 16,
  callsPerBankMax: 16,
  queuePerBankMax: 32,
  queueMilliseconds: 2_000,
}

/** Registries are public: they are asked without a certificate, and believed if everybody's authorities vouch for them. */
const NO_IDENTITY = { qwac: null, authorities: null }

/** Opens the way; `observe` is told of every call that was made, and must not throw. */
export function openRegistryLine(
  observe: (call: RegistryCall) => void,
  limits: Partial<BankFetchLimits> = {},
): RegistryLine {
  const all = { ...REGISTRY_LIMITS, ...limits }
  const opened: { agents?: BankAgents } = {}
  const gate = openCallGate(all)
  const ask = async ({ registry, operation, url, accept }: RegistryRequest): Promise<BankResponse> => {
    const begun = wallMilliseconds()
    const tell = (outcome: string) =>
      observe({ registry, operation, outcome, milliseconds: wallMilliseconds() - begun })
    try {
      const request = { operation, method: 'GET', url, headers: { accept } } as const
      // Opened by the first call: reading every authority's certificate takes longer than all else at start.
      opened.agents ??= openBankAgents(all, () => NO_IDENTITY)
      const response = await exchange(opened.agents.current(), request, all)
      tell(String(response.status))
      return response
    } catch (error) {
      tell('unreachable')
      throw error
    }
  }
  return {
    get: async (request) => {
      try {
        return await gate.pass(request.registry, () => ask(request))
      } catch (error) {
        throw error instanceof BankUnreachable
          ? new RegistryUnavailable('The registry could not be asked, or gave no whole answer', error)
          : error
      }
    },
    close: async () => {
      await opened.agents?.close()
    },
  }
}
