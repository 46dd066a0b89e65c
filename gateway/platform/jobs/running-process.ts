/** Records which processes run, for operators: each repeats while it lives that it does. */
import { hostname } from 'node:os'
import program from '../../../package.json' with { type: 'json' }
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../ids.ts'
import type { Log } from '../observability/log.ts'
import { deleteProcess, listProcesses, type ProcessRow, recordProcess } from './running-process-store.ts'

type Dependencies = { readonly database: Database<unknown>; readonly clock: Clock }

const EVERY_SECONDS = 15
/** A process that was not seen for longer has ended, or has lost the database. */
export const ALIVE_SECONDS = 60
/** For how long one that ended without saying so is listed. */
const LISTED_HOURS = 24

/** A process, and whether it was seen lately. */
export type RunningProcess = ProcessRow & { readonly isAlive: boolean }

/** Records a process until it is stopped, which removes it from the list. */
export async function recordRunningProcess(
  { database, clock, log }: Dependencies & { readonly log: Log },
  role: string,
): Promise<{ stop(): Promise<void> }> {
  const known = {
    id: newId(),
    role,
    host: hostname(),
    pid: process.pid,
    startedAt: clock.real(),
    release: program.version,
  }
  const record = async () => {
    const seenAt = clock.real()
    try {
      await recordProcess(database, { ...known, seenAt }, seenAt.subtract({ hours: LISTED_HOURS }))
    } catch (error) {
      log.debug({ error }, 'a running process could not be recorded')
    }
  }
  await record()
  const timer = setInterval(() => void record(), EVERY_SECONDS * 1_000).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await deleteProcess(database, known.id).catch(() => undefined)
    },
  }
}

/** The processes of the last day. */
export async function listRunningProcesses({ database, clock }: Dependencies): Promise<readonly RunningProcess[]> {
  const real = clock.real()
  const rows = await listProcesses(database, real.subtract({ hours: LISTED_HOURS }))
  return rows.map((row) => ({ ...row, isAlive: real.since(row.seenAt).total('seconds') <= ALIVE_SECONDS }))
}
