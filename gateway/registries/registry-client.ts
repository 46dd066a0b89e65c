/** Calls registries over HTTP, with the limits of calls to banks and tighter ones, because users wait. */

import { BankUnreachable } from '../banks/connector/bank-error.ts'
import type { BankResponse } from '../banks/connector/connector-dependencies.ts'
import { BANK_CALL_LIMITS, type BankCallLimits } from '../banks/transport/bank-call-limits.ts'
import { openPublicHttpClient } from '../banks/transport/bank-http-client.ts'
import { RegistryUnavailable } from './company-registry.ts'

export type RegistryRequest = {
  readonly registry: string
  /** The name of the request in metrics, e.g. `readRoles`. */
  readonly operation: string
  readonly url: string
  readonly accept: string
}

/** A completed call: its HTTP status, or `unreachable`. */
export type RegistryCall = Pick<RegistryRequest, 'registry' | 'operation'> & {
  readonly outcome: string
  readonly milliseconds: number
}

export type RegistryClient = {
  /**
   * Any response whatever its status; redirects are not followed. Throws `RegistryUnavailable` without a complete one.
   */
  get(request: RegistryRequest): Promise<BankResponse>
  /** Waits for calls in flight. */
  close(): Promise<void>
}

/** A user waits for the response, so timeouts are short and there are no retries. */
const REGISTRY_LIMITS: BankCallLimits = {
  ...BANK_CALL_LIMITS,
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

/** Opens the client; `observe` receives every call, and must not throw. */
export function openRegistryClient(
  observe: (call: RegistryCall) => void,
  limits: Partial<BankCallLimits> = {},
): RegistryClient {
  const client = openPublicHttpClient({ ...REGISTRY_LIMITS, ...limits }, ({ service, ...call }) =>
    observe({ registry: service, ...call }),
  )
  return {
    get: async ({ registry, operation, url, accept }) => {
      try {
        return await client.send(registry, { operation, method: 'GET', url, headers: { accept } })
      } catch (error) {
        throw error instanceof BankUnreachable
          ? new RegistryUnavailable('The registry could not be reached, or its response was incomplete', error)
          : error
      }
    },
    close: () => client.close(),
  }
}
