/** Starts what a process does: the gateway serves, the worker sweeps; both tell how they are. */
import type { FastifyInstance } from 'fastify'
import { ensureTokenKey } from './auth/token-key.ts'
import type { BankProfile } from './banks/bank.ts'
import type { Context } from './context.ts'
import { readClock } from './foundation/clock-store.ts'
import { serveHealth } from './foundation/http/health.ts'
import { openServer } from './foundation/http/server.ts'
import { startSweeps } from './foundation/sweeps.ts'
import { composeServer, composeSweeps } from './gateway.ts'
import type { OpenedContext } from './open-context.ts'
import { measureTasks } from './operators/measure-tasks.ts'
import { readiness } from './readiness.ts'
import { makeDemoPartner, putSandboxBanks } from './simulation/demo-world.ts'

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
  await ensureTokenKey(context)
  await readySandbox(context, readProfiles)
  const server = role === 'gateway' ? await composeServer(context) : workerServer(context)
  const sweeps = role === 'worker' ? startWork(context) : undefined
  const address = await listen(server, role === 'gateway' ? context.config.port : context.config.workerPort, context)
  return {
    address,
    stop: async () => {
      await server.close()
      await sweeps?.stop()
      await close()
    },
  }
}

async function readySandbox(
  context: Context,
  readProfiles: () => Promise<ReadonlyMap<string, BankProfile>>,
): Promise<void> {
  const { mode, demo, sandboxXs2aUrl: xs2aUrl, sandboxBankUrl: pagesUrl } = context.config
  if (mode === 'sandbox' && xs2aUrl !== null && pagesUrl !== null) {
    await putSandboxBanks(context, await readProfiles(), { xs2aUrl, pagesUrl })
  }
  if (demo) {
    await makeDemoPartner(context)
  }
}

function startWork(context: Context) {
  const { clock, log, metrics, trace, database } = context
  const isMovable = context.config.mode === 'sandbox'
  return startSweeps(composeSweeps(context), {
    clock,
    log,
    metrics,
    trace,
    ...(isMovable ? { beforeRound: () => readClock(database, clock) } : {}),
  })
}

function workerServer(context: Context): FastifyInstance {
  const { log, metrics } = context
  const server = openServer({ log, trustProxy: false })
  const beforeMetrics = () => measureTasks(context)
  serveHealth(server, { metrics, isReady: readiness(context), beforeMetrics })
  return server
}

async function listen(server: FastifyInstance, port: number, { config }: Context): Promise<string> {
  return await server.listen({ host: config.host, port })
}
