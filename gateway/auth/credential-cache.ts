/** Caches enabled clients and valid token keys for less than five seconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JWK } from 'jose'
import type { Operation } from '../../contract/operation.ts'
import type { Context } from '../context.ts'
import { listEnabledClients } from '../partners/client-store.ts'
import type { PartnerCaller } from './partner-caller.ts'
import { listTokenKeys, type StoredTokenKey } from './token-key-store.ts'

/** One read of the tables. */
export type CredentialSnapshot = {
  readonly clientsById: ReadonlyMap<string, EnabledClient>
  /** The public keys whose tokens are valid. */
  readonly publicKeys: readonly JWK[]
  readonly signingKey: StoredTokenKey | undefined
}

type EnabledClient = {
  readonly caller: PartnerCaller
  readonly permissions: readonly NonNullable<Operation['permission']>[]
  /** The numbers of the secrets whose tokens are valid. */
  readonly secretNumbers: readonly number[]
}

/** Reads the current snapshot. */
export type CredentialCache = {
  /** At most five seconds old. */
  current(): Promise<CredentialSnapshot>
  /** For a client or key that the snapshot lacks: reads again, at most twenty times a second. */
  refresh(): Promise<CredentialSnapshot>
}

/** A disabled client must be rejected within five seconds; the snapshot is read again before that. */
const SNAPSHOT_TTL_MILLISECONDS = 4_000
const REFRESH_INTERVAL_MIN_MILLISECONDS = 50

/** Creates the cache of a process. */
export function openCredentialCache(context: Context): CredentialCache {
  let snapshot: Promise<CredentialSnapshot> | undefined
  let [readAt, readCount] = [0, 0]
  const startRead = (): Promise<CredentialSnapshot> => {
    readAt = context.clock.real().epochMilliseconds
    readCount += 1
    const pending = read(context)
    snapshot = pending
    pending.catch(() => {
      snapshot = snapshot === pending ? undefined : snapshot
    })
    return pending
  }
  const age = () => context.clock.real().epochMilliseconds - readAt
  return {
    current: async () => await (snapshot === undefined || age() >= SNAPSHOT_TTL_MILLISECONDS ? startRead() : snapshot),
    refresh: async () => {
      // The caller gets a read that started after its request: the one before may lack what the caller needs.
      const before = readCount
      await sleep(Math.max(0, REFRESH_INTERVAL_MIN_MILLISECONDS - age()))
      return await (snapshot === undefined || readCount === before ? startRead() : snapshot)
    },
  }
}

async function read(context: Context): Promise<CredentialSnapshot> {
  const clients = await listEnabledClients(context.database)
  const keys = await listTokenKeys(context.database)
  return {
    clientsById: new Map(
      clients.map(({ permissions, secretNumber, hasFormerSecret, ...caller }) => {
        const secretNumbers = hasFormerSecret ? [secretNumber, secretNumber - 1] : [secretNumber]
        return [caller.clientId, { caller, permissions, secretNumbers }]
      }),
    ),
    publicKeys: keys.map(({ publicJwk }) => publicJwk),
    signingKey: keys.find(({ retiredAt }) => retiredAt === null),
  }
}
