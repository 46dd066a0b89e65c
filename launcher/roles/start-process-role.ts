/** Starts a process's role: the gateway serves the API, the worker runs jobs; both serve health. */

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ensureTokenKey, requireMasterKeyOfDatabase } from '../../gateway/auth/token-key.ts'
import { BANK_PROFILES_FOLDER, readBankProfiles } from '../../gateway/banks/directory/validate-bank-profile.ts'
import type { Context } from '../../gateway/context.ts'
import { describeDatedData, listOldData } from '../../gateway/countries/data-age.ts'
import { createSharedClockReader } from '../../gateway/platform/database/business-clock-store.ts'
import { portOf } from '../../gateway/platform/http/offset-port.ts'
import { listenAt } from '../../gateway/platform/http/server.ts'
import { listenForDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { startDueTimeWatcher } from '../../gateway/platform/jobs/due-time-watcher.ts'
import { recordRunningProcess } from '../../gateway/platform/jobs/running-process.ts'
import { type SweepRunner, startSweeps } from '../../gateway/platform/jobs/sweep-runner.ts'
import { requireMigrations } from '../../gateway/readiness.ts'
import { composeOperatorServer } from './compose-operator-server.ts'
import { composeSweeps } from './compose-sweeps.ts'
import { connectionSettings } from './connection-settings.ts'
import type { OpenedContext } from './open-context.ts'

export type ProcessRole = 'gateway' | 'worker'

export type RunningProcess = {
  /** The address that it listens on. */
  readonly address: string
  /** Lets proxies notice that it is not ready, finishes what is in flight, then closes everything. */
  stop(): Promise<void>
}

/** Starts a role on an opened context. Throws if the database is not ready, and closes the context then. */
export async function startProcessRole(role: ProcessRole, opened: OpenedContext): Promise<RunningProcess> {
  try {
    return await startOnContext(role, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function startOnContext(role: ProcessRole, { context, close }: OpenedContext): Promise<RunningProcess> {
  await requireMigrations(context)
  await requireMasterKeyOfDatabase(context)
  reportOldData(context)
  if (role === 'gateway') {
    // On first start only gateways create what is missing; workers would conflict with them.
    await ensureTokenKey(context)
    await prepareSandbox(context)
  }
  const listeners = await listenersOf(role, context)
  const address = await listenAll(listeners, context)
  const recorded = await recordRunningProcess(context, role)
  // Last: before it is ready, a signal or a port that is taken ends the process at once.
  const sweeps = role === 'worker' ? startSweepsOfWorker(context) : undefined
  return {
    address,
    stop: async () => {
      context.draining.abort()
      await pause(role === 'gateway' ? context.config.drainSeconds * 1_000 : 0)
      await Promise.all(listeners.map(({ server }) => server.close()))
      await Promise.all([sweeps?.stop(), context.outcomes.stop()])
      await recorded.stop()
      await close()
    },
  }
}

/** An operator may know what the data of the release do not. */
function reportOldData({ clock, log }: Context): void {
  const data = listOldData(clock.real().toZonedDateTimeISO('UTC').toPlainDate()).map(describeDatedData)
  if (data.length > 0) {
    log.info({ data }, 'data of this release are older than 18 months')
  }
}

async function prepareSandbox(context: Context): Promise<void> {
  const { createDemoPartner, upsertSandboxBanks } = await import('../../gateway/simulation/demo-fixture.ts')
  const { mode, demo, sandboxXs2aUrl: xs2aUrl, sandboxBankUrl: pagesUrl } = context.config
  if (mode === 'sandbox' && xs2aUrl !== null && pagesUrl !== null) {
    await upsertSandboxBanks(context, await readBankProfiles(BANK_PROFILES_FOLDER), { xs2aUrl, pagesUrl })
  }
  if (demo) {
    await createDemoPartner(context)
  }
}

/** Interval while notifications arrive: only what other processes make due is missed by them. */
const READ_DUES_EVERY_MILLISECONDS = 2_000
/** Interval without notifications: the latency that partners expect of changes. */
const READ_DUES_UNNOTIFIED_EVERY_MILLISECONDS = 100

/** The jobs of the worker, which sleep while nothing is due. */
function startSweepsOfWorker(context: Context): SweepRunner {
  const { clock, config, log, metrics, database } = context
  const beforeRound = config.mode === 'sandbox' ? createSharedClockReader(database, clock) : async () => undefined
  const sweeps = composeSweeps(context)
  const dueTimeWatcher = startDueTimeWatcher(sweeps, {
    database,
    clock,
    log,
    metrics,
    beforeRead: beforeRound,
    everyMilliseconds: () =>
      listener.isHeard() ? READ_DUES_EVERY_MILLISECONDS : READ_DUES_UNNOTIFIED_EVERY_MILLISECONDS,
  })
  const { databaseUrl, databaseListenUrl, databasePoolMode } = config
  const settings = { pool: database.pool, log, answerMilliseconds: config.databaseAnswerTimeoutSeconds * 1_000 }
  const listener = listenForDue(
    databaseListenUrl === null
      ? { ...settings, connectionString: databaseUrl, poolMode: databasePoolMode }
      : { ...settings, connectionString: databaseListenUrl, poolMode: 'session' },
    dueTimeWatcher.requestRead,
  )
  const running = startSweeps(sweeps, context, { beforeRound, dueTimeWatcher })
  return {
    stop: async () => {
      await running.stop()
      await listener.close()
    },
  }
}

type Listener = { readonly server: FastifyInstance; readonly port: number }

/** The first is the address of the process. */
async function listenersOf(role: ProcessRole, context: Context): Promise<readonly Listener[]> {
  const { port, workerPort, operatorPort } = context.config
  if (role === 'worker') {
    return [{ server: composeOperatorServer(context), port: workerPort }]
  }
  // A worker does not need most of the code.
  const { composeServer } = await import('./compose-server.ts')
  const gateway = { server: await composeServer(context), port }
  const operators = operatorPort === 0 ? [] : [{ server: composeOperatorServer(context), port: operatorPort }]
  return [gateway, ...operators, ...(await inboxListener(context))]
}

/** The sandbox's webhook inbox, on the port of its URL. */
export async function inboxListener(context: Context): Promise<readonly Listener[]> {
  const { sandboxInboxUrl } = context.config
  if (sandboxInboxUrl === null) {
    return []
  }
  const { openInboxServer } = await import('../../gateway/webhooks/inbox/inbox-server.ts')
  return [{ server: openInboxServer(context, connectionSettings(context)), port: portOf(new URL(sandboxInboxUrl)) }]
}

async function listenAll(listeners: readonly Listener[], { config }: Context): Promise<string> {
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
