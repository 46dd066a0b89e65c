/** Knows who may call at present: enabled clients and good token keys, never more than five seconds old. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JWK } from 'jose'
import type { Operation } from '../../contract/operation.ts'
import type { Context } from '../context.ts'
import type { PartnerCaller } from './partner.ts'
import { listEnabledClients } from './partner-store.ts'
import { openTokenKey, type TokenKey } from './token-key.ts'
import { listTokenKeys } from './token-key-store.ts'

/** One reading of the tables. */
export type Admitted = {
  readonly callersByClientId: ReadonlyMap<string, PartnerCaller>
  readonly permissionsByClientId: ReadonlyMap<string, readonly NonNullable<Operation['permission']>[]>
  /** Public halves of all keys whose tokens are good. */
  readonly publicKeys: readonly JWK[]
  readonly signingKey: TokenKey | undefined
}

/** Gives the present reading. */
export type Admission = {
  /** At most five seconds old. */
  current(): Promise<Admitted>
  /** For a client or key that the reading lacks: read anew, but not more often than twenty times a second. */
  reread(): Promise<Admitted>
}

/** Whoever is disabled must be refused within five seconds; a reading is renewed before that. */
const GOOD_FOR_MILLISECONDS = 4_000
const REREAD_AFTER_MILLISECONDS = 50

/** Makes the reader of a process. */
export function openAdmission(context: Pick<Context, 'database' | 'seal' | 'clock'>): Admission {
  let reading: Promise<Admitted> | undefined
  let [readAt, readings] = [0, 0]
  const begin = (): Promise<Admitted> => {
    readAt = context.clock.real().epochMilliseconds
    readings += 1
    const begun = read(context)
    reading = begun
    begun.catch(() => {
      reading = reading === begun ? undefined : reading
    })
    return begun
  }
  const age = () => context.clock.real().epochMilliseconds - readAt
  return {
    current: async () => await (reading === undefined || age() >= GOOD_FOR_MILLISECONDS ? begin() : reading),
    reread: async () => {
      // Whoever asks gets a reading that began after it asked: the one before may lack what it looks for.
      const before = readings
      await sleep(Math.max(0, REREAD_AFTER_MILLISECONDS - age()))
      return await (reading === undefined || readings === before ? begin() : reading)
    },
  }
}

async function read(context: Pick<Context, 'database' | 'seal'>): Promise<Admitted> {
  const clients = await listEnabledClients(context.database)
  const keys = await listTokenKeys(context.database)
  const signing = keys.find(({ retiredAt }) => retiredAt === null)
  return {
    callersByClientId: new Map(clients.map(({ payroll: _payroll, ...caller }) => [caller.clientId, caller])),
    permissionsByClientId: new Map(clients.map(({ clientId, payroll }) => [clientId, payroll ? ['payroll'] : []])),
    publicKeys: keys.map(({ publicJwk }) => publicJwk),
    signingKey: signing === undefined ? undefined : await openTokenKey(context, signing),
  }
}
