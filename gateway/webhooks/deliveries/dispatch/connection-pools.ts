/** One connection pool per origin, to addresses that were validated at most a minute ago. */
import type { SecureContext } from 'node:tls'
import { Pool } from 'undici'
import { type CheckedAddresses, type DestinationLookup, pinnedLookup } from './destination-lookup.ts'
import type { Destination } from './destination-policy.ts'

/** Attempts to one origin beyond this number wait for a connection; the claim limits stay below it. */
export const CONNECTIONS_PER_ORIGIN_MAX = 32

export type PoolLimits = {
  /** How long a validated address is valid. Then its connections finish their requests, and close. */
  readonly addressMilliseconds: number
  readonly connectMilliseconds: number
  /** Origins with open pools; those of the least recently used origin are evicted. */
  readonly poolsMax: number
}

export const POOL_LIMITS: PoolLimits = {
  addressMilliseconds: 60_000,
  /** Half of an attempt: an endpoint that takes longer to accept a connection will not answer in time either. */
  connectMilliseconds: 5_000,
  /** Partners may use any number of origins; a process may hold some thousands of connections. */
  poolsMax: 1_000,
}

/**
 * Common servers close an idle connection after five seconds. The client closes earlier, so that no delivery is sent on
 * a connection that the server is closing at the same moment.
 */
const IDLE_MILLISECONDS = 4_000

/** More than any legitimate response to a delivery has. */
const HEADER_BYTES_MAX = 16 * 1024

export type ConnectionPools = {
  /**
   * The pool of a destination's origin, synchronously when it is open. Throws when its host is not allowed or not
   * found.
   */
  of(destination: Destination): Pool | Promise<Pool>
  /** To be called when no attempt is in flight any more. */
  close(): Promise<void>
}

type PoolEntry = { pool: Pool | Promise<Pool>; timer?: NodeJS.Timeout }

export function openConnectionPools(
  lookup: DestinationLookup,
  secureContext: SecureContext,
  limits: PoolLimits,
): ConnectionPools {
  const poolsByOrigin = new Map<string, PoolEntry>()
  const retire = async (origin: string, entry: PoolEntry): Promise<void> => {
    clearTimeout(entry.timer)
    // A newer pool may have replaced one that was retired before.
    if (poolsByOrigin.get(origin) === entry) {
      poolsByOrigin.delete(origin)
    }
    const pool = await Promise.resolve(entry.pool).catch(() => null)
    await pool?.close()
  }
  const open = ({ url, origin }: Destination): PoolEntry => {
    evictLeastRecentlyUsed()
    const pool = lookup.find(url).then((addresses) => openPool(origin, addresses, secureContext, limits))
    const entry: PoolEntry = { pool }
    poolsByOrigin.set(origin, entry)
    const store = (opened: Pool) => {
      entry.pool = opened
      if (poolsByOrigin.get(origin) === entry) {
        entry.timer = setTimeout(() => retire(origin, entry), limits.addressMilliseconds).unref()
      }
    }
    // A host that was rejected or not found is resolved again by the next attempt.
    pool.then(store, () => retire(origin, entry))
    return entry
  }
  /** Origins are in the order of their last use. An evicted pool finishes its requests before it closes. */
  const evictLeastRecentlyUsed = () => {
    for (const [origin, entry] of poolsByOrigin) {
      if (poolsByOrigin.size < limits.poolsMax) {
        return
      }
      void retire(origin, entry)
    }
  }
  return {
    of: (destination) => {
      const { origin } = destination
      const entry = poolsByOrigin.get(origin) ?? open(destination)
      poolsByOrigin.delete(origin)
      poolsByOrigin.set(origin, entry)
      return entry.pool
    },
    close: async () => {
      lookup.close()
      await Promise.all([...poolsByOrigin].map(([origin, entry]) => retire(origin, entry)))
    },
  }
}

function openPool(origin: string, addresses: CheckedAddresses, secureContext: SecureContext, limits: PoolLimits): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS_PER_ORIGIN_MAX,
    // One delivery at a time on a connection, because a slow response would block pipelined requests.
    pipelining: 1,
    allowH2: false,
    // Stated explicitly although it is the default: an environment variable can disable it for the entire process.
    connect: { lookup: pinnedLookup(addresses), secureContext, rejectUnauthorized: true },
    connectTimeout: limits.connectMilliseconds,
    keepAliveTimeout: IDLE_MILLISECONDS,
    keepAliveMaxTimeout: IDLE_MILLISECONDS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // The attempt as a whole has a time limit; these would only add timers.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
