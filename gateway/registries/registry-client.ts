/** The way to registries: kept-alive connections with the limits of calls to banks, and tighter ones where people wait. */

import { BankUnreachable } from '../banks/connector/bank-error.ts'
import type { BankResponse } from '../banks/connector/connector-dependencies.ts'
import { BANK_FETCH_LIMITS, type BankFetchLimits } from '../banks/transport/bank-call-limits.ts'
import { openPublicLine } from '../banks/transport/public-http-client.ts'
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

/** Opens the way; `observe` is told of every call that was made, and must not throw. */
export function openRegistryLine(
  observe: (call: RegistryCall) => void,
  limits: Partial<BankFetchLimits> = {},
): RegistryLine {
  const line = openPublicLine({ ...REGISTRY_LIMITS, ...limits }, ({ service, ...call }) =>
    observe({ registry: service, ...call }),
  )
  return {
    get: async ({ registry, operation, url, accept }) => {
      try {
        return await line.send(registry, { operation, method: 'GET', url, headers: { accept } })
      } catch (error) {
        throw error instanceof BankUnreachable
          ? new RegistryUnavailable('The registry could not be asked, or gave no whole answer', error)
          : error
      }
    },
    close: () => line.close(),
  }
}
