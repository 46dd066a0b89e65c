/** Starts what a process does: the gateway serves, the worker sweeps; both tell how they are. */
import type { FastifyInstance } from 'fastify'
import { ensureTokenKey } from '../auth/token-key.ts'
import type { BankProfile } from '../banks/directory/bank.ts'
import { composeSweeps } from '../compose-sweeps.ts'
import type { GatewayContext } from '../gateway-context.ts'
import { openSharedClockReader } from '../platform/database/business-clock-store.ts'
import { listenAt } from '../platform/http/server.ts'
import { listenForDue } from '../platform/jobs/due-row-notification.ts'
import { openDueWatch } from '../platform/jobs/due-time-watcher.ts'
import { type RunningSweeps, startSweeps } from '../platform/jobs/sweep-runner.ts'
import { readiness } from '../readiness.ts'
import { composeOperatorServer } from './compose-operator-server.ts'
import type { OpenedContext } from './open-context.ts'

/** What a process may be. */
export type Role = 'gateway' | 'worker'

/** A process at work. */
export type RunningRole = {
  /** Where it listens. */
  readonly address: string
  /** Finishes what is under way, then closes everything. */
  stop(): Promise<void>
}

/** Starts a role on an opened context. */
export async function startRole(
  role: Role,
  { context, close }: OpenedContext,
  readProfiles: () => Promise<ReadonlyMap<string, BankProfile>>,
): Promise<RunningRole> {
  await readiness(context)()
  if (role === 'gateway') {
    // One of the processes that a first start begins makes what is missing; the other would run into it.
    await ensureTokenKey(context)
    await readySandbox(context, readProfiles)
  }
  const listeners = await listenersOf(role, context)
  const sweeps = role === 'worker' ? startWork(context) : undefined
  const address = await listenAll(listeners, context)
  return {
    address,
    stop: async () => {
      await Promise.all(listeners.map(({ server }) => server.close()))
      await sweeps?.stop()
      await close()
    },
  }
}

async function readySandbox(
  context: GatewayContext,
  readProfiles: () => Promise<ReadonlyMap<string, BankProfile>>,
): Promise<void> {
  const { makeDemoPartner, putSandboxBanks } = await import('../simulation/demo-fixture.ts')
  const { mode, demo, sandboxXs2aUrl: xs2aUrl, sandboxBankUrl: pagesUrl } = context.config
  if (mode === 'sandbox' && xs2aUrl !== null && pagesUrl !== null) {
    await putSandboxBanks(context, await readProfiles(), { xs2aUrl, pagesUrl })
  }
  if (demo) {
    await makeDemoPartner(context)
  }
}

/** While notifications are heard: what becomes due unannounced, and sooner than this, was written by no gateway. */
const READ_DUES_EVERY_MILLISECONDS = 2_000
/** Otherwise as often as partners want to learn of changes. */
const READ_DUES_UNNOTIFIED_EVERY_MILLISECONDS = 100

/** The sweeps at work, asleep while nothing is due. */
function startWork(context: GatewayContext): RunningSweeps {
  const { clock, config, log, metrics, trace, database } = context
  const beforeRound = config.mode === 'sandbox' ? openSharedClockReader(database, clock) : async () => undefined
  const sweeps = composeSweeps(context)
  const dueWatch = openDueWatch(sweeps, {
    database,
    clock,
    log,
    metrics,
    beforeRead: beforeRound,
    everyMilliseconds: () =>
      listener.isHeard() ? READ_DUES_EVERY_MILLISECONDS : READ_DUES_UNNOTIFIED_EVERY_MILLISECONDS,
  })
  const listener = listenForDue({ connectionString: config.databaseUrl, pool: database.pool, log }, dueWatch.readSoon)
  const running = startSweeps(sweeps, { clock, log, metrics, trace, beforeRound, dueWatch })
  return {
    stop: async () => {
      await running.stop()
      await listener.close()
    },
  }
}

type Listener = { readonly server: FastifyInstance; readonly port: number }

/** The first is what the role is known by. */
async function listenersOf(role: Role, context: GatewayContext): Promise<readonly Listener[]> {
  const { port, workerPort, operatorPort } = context.config
  if (role === 'worker') {
    return [{ server: composeOperatorServer(context), port: workerPort }]
  }
  // A worker has no use for most of the code.
  const { composeServer } = await import('./compose-server.ts')
  const gateway = { server: await composeServer(context), port }
  return operatorPort === 0 ? [gateway] : [gateway, { server: composeOperatorServer(context), port: operatorPort }]
}

async function listenAll(listeners: readonly Listener[], { config }: GatewayContext): Promise<string> {
  try {
    const addresses = await Promise.all(
      listeners.map(({ server, port }) => listenAt(server, { host: config.host, port })),
    )
    return addresses[0] ?? ''
  } catch (error) {
    await Promise.all(listeners.map(({ server }) => server.close()))
    throw error
  }
}
