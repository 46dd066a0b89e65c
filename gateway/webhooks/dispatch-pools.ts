/** Keeps one pool of connections per origin, to addresses that were checked at most a minute ago. */
import type { SecureContext } from 'node:tls'
import { Pool } from 'undici'
import { type CheckedAddresses, type DestinationLookup, pinned } from './deliveries/dispatch/destination-lookup.ts'
import type { Destination } from './deliveries/dispatch/destination-policy.ts'

/** Attempts to one origin beyond this many wait for one of its connections: whoever claims deliveries keeps below it. */
export const CONNECTIONS_PER_ORIGIN_MAX = 32

export type PoolLimits = {
  /** So long an address counts as checked. Then its connections finish what they carry, and close. */
  readonly addressMilliseconds: number
  readonly connectMilliseconds: number
  /** Origins whose connections are kept at a time; those of the origin that was not used for longest make room. */
  readonly poolsMax: number
}

export const POOL_LIMITS: PoolLimits = {
  addressMilliseconds: 60_000,
  /** Half of an attempt: whoever takes longer to accept a connection will not answer in time either. */
  connectMilliseconds: 5_000,
  /** Partners may name any number of origins; a process may hold some thousands of connections. */
  poolsMax: 1_000,
}

/**
 * Common servers close an idle connection after five seconds. Whoever is first to close cannot lose a delivery to a
 * connection that the other side is closing at the same moment.
 */
const IDLE_MILLISECONDS = 4_000

/** More than any honest answer to a delivery has. */
const HEADER_BYTES_MAX = 16 * 1024

export type Pools = {
  /** The pool of a destination's origin, at once when it is open. Throws when its host is refused or unknown. */
  of(destination: Destination): Pool | Promise<Pool>
  /** To be called when no attempt is under way any more. */
  close(): Promise<void>
}

type Kept = { pool: Pool | Promise<Pool>; timer?: NodeJS.Timeout }

export function openPools(lookup: DestinationLookup, secureContext: SecureContext, limits: PoolLimits): Pools {
  const keptByOrigin = new Map<string, Kept>()
  const retire = async (origin: string, kept: Kept): Promise<void> => {
    clearTimeout(kept.timer)
    // Another may have taken the place of one that was retired before.
    if (keptByOrigin.get(origin) === kept) {
      keptByOrigin.delete(origin)
    }
    const pool = await Promise.resolve(kept.pool).catch(() => null)
    await pool?.close()
  }
  const open = ({ url, origin }: Destination): Kept => {
    makeRoom()
    const pool = lookup.find(url).then((addresses) => poolTo(origin, addresses, secureContext, limits))
    const kept: Kept = { pool }
    keptByOrigin.set(origin, kept)
    const note = (opened: Pool) => {
      kept.pool = opened
      if (keptByOrigin.get(origin) === kept) {
        kept.timer = setTimeout(() => retire(origin, kept), limits.addressMilliseconds).unref()
      }
    }
    // A host that was refused or not found is asked for again by the next attempt.
    pool.then(note, () => retire(origin, kept))
    return kept
  }
  /** Origins are in the order of their last use. What a pool still carries is finished before it closes. */
  const makeRoom = () => {
    for (const [origin, kept] of keptByOrigin) {
      if (keptByOrigin.size < limits.poolsMax) {
        return
      }
      void retire(origin, kept)
    }
  }
  return {
    of: (destination) => {
      const { origin } = destination
      const kept = keptByOrigin.get(origin) ?? open(destination)
      keptByOrigin.delete(origin)
      keptByOrigin.set(origin, kept)
      return kept.pool
    },
    close: async () => {
      lookup.close()
      await Promise.all([...keptByOrigin].map(([origin, kept]) => retire(origin, kept)))
    },
  }
}

function poolTo(origin: string, addresses: CheckedAddresses, secureContext: SecureContext, limits: PoolLimits): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS_PER_ORIGIN_MAX,
    // One delivery at a time on a connection: behind a slow answer nothing else may wait.
    pipelining: 1,
    allowH2: false,
    // Said anew although it is the rule: an environment variable can turn it off for a whole process.
    connect: { lookup: pinned(addresses), secureContext, rejectUnauthorized: true },
    connectTimeout: limits.connectMilliseconds,
    keepAliveTimeout: IDLE_MILLISECONDS,
    keepAliveMaxTimeout: IDLE_MILLISECONDS,
    maxHeaderSize: HEADER_BYTES_MAX,
    // The attempt as a whole has a limit; these would only add timers.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
