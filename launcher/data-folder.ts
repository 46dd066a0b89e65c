/** Creates the data folder of one machine with its master key, and locks it against a second start. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { generateMasterKeyLine } from '../gateway/platform/crypto/envelope-encryption.ts'
import { startedAt, waitUntil } from './processes.ts'

export type DataFolder = {
  readonly path: string
  readonly postgres: string
  readonly logs: string
  readonly masterKeyFile: string
  /** The folder of this sandbox's files. */
  readonly certificates: string
}

/** The holder of the lock: a process id alone could belong to another program later. */
type LockHolder = {
  readonly pid: number
  readonly startedAt: string
  /** Where it serves the API, for commands in this folder. */
  readonly gatewayUrl?: string
  readonly hasDemoPartner?: boolean
}

/** What a running Havn says of itself in its data folder. */
export type RunningHavn = Omit<LockHolder, 'startedAt'>

/** After a kill of npm alone its supervisor is still stopping: a start right after waits for it. */
const LOCK_HOLDER_EXIT_MILLISECONDS = 3_000
const FIRST_KEY_ID = 'key-1'

export function dataFolderPaths(path: string): DataFolder {
  return {
    path,
    postgres: join(path, 'postgres'),
    logs: join(path, 'logs'),
    masterKeyFile: join(path, 'master.key'),
    certificates: join(path, 'certificates'),
  }
}

/** That of the settings; by default `.havn` in the current folder. */
export function dataFolderOf(environment: NodeJS.ProcessEnv): DataFolder {
  return dataFolderPaths(resolve(environment['HAVN_DATA_DIR']?.trim() || '.havn'))
}

/** Creates what is missing in the folder. */
export async function prepareDataFolder(folder: DataFolder): Promise<void> {
  // PostgreSQL's own user must be able to traverse it when everything runs as root.
  await mkdir(folder.path, { recursive: true, mode: 0o755 })
  await mkdir(folder.logs, { recursive: true, mode: 0o700 })
  if (!existsSync(folder.masterKeyFile)) {
    const unfinished = `${folder.masterKeyFile}.new`
    await writeFile(unfinished, `${generateMasterKeyLine(FIRST_KEY_ID)}\n`, { mode: 0o600 })
    await rename(unfinished, folder.masterKeyFile)
  }
}

/**
 * Locks the folder for this process; returns the function that unlocks it. Throws when another process holds the lock.
 */
export async function lockDataFolder(
  folder: DataFolder,
  served: Pick<LockHolder, 'gatewayUrl' | 'hasDemoPartner'> = {},
): Promise<() => Promise<void>> {
  await mkdir(folder.path, { recursive: true, mode: 0o755 })
  const file = lockFileOf(folder)
  const mine = `${file}.${randomUUID()}`
  await writeFile(mine, JSON.stringify({ pid: process.pid, startedAt: await startedAt(process.pid), ...served }))
  try {
    const isLocked = await waitUntil(() => tryLock(file, mine), LOCK_HOLDER_EXIT_MILLISECONDS)
    if (!isLocked) {
      const holder = await readLockHolder(file)
      throw new Error(
        `Havn is already running with ${folder.path} (process ${holder?.pid}). ` +
          'Stop it first, or set HAVN_DATA_DIR and the ports to run a second one.',
      )
    }
  } finally {
    await rm(mine, { force: true })
  }
  return () => rm(file, { force: true })
}

/** The Havn that runs with this folder; undefined without one. */
export async function readRunningHavn(folder: DataFolder): Promise<RunningHavn | undefined> {
  return await readLiveHolder(lockFileOf(folder))
}

function lockFileOf({ path }: DataFolder): string {
  return join(path, 'holder.json')
}

/** Hard links are atomic: only one process can create it. */
async function tryLock(file: string, mine: string): Promise<boolean> {
  const isMine = await link(mine, file).then(
    () => true,
    () => false,
  )
  if (!isMine && !(await isLocked(file))) {
    await removeStaleLock(file, mine)
  }
  return isMine
}

/** Moves the file aside before deleting it, and restores it if a live process took the lock in between. */
async function removeStaleLock(file: string, mine: string): Promise<void> {
  const aside = `${mine}.stale`
  await rename(file, aside).catch(() => undefined)
  if (await isLocked(aside)) {
    await link(aside, file).catch(() => undefined)
  }
  await rm(aside, { force: true })
}

async function isLocked(file: string): Promise<boolean> {
  return (await readLiveHolder(file)) !== undefined
}

/** Undefined when the process of the lock has ended. */
async function readLiveHolder(file: string): Promise<LockHolder | undefined> {
  const holder = await readLockHolder(file)
  const isRunning = holder !== undefined && (await startedAt(holder.pid)) === holder.startedAt
  return isRunning ? holder : undefined
}

async function readLockHolder(file: string): Promise<LockHolder | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isLockHolder(holder) ? holder : undefined
  } catch {
    return undefined
  }
}

/** Without a schema: the library for them would be a seventh of the memory that the supervisor needs. */
function isLockHolder(value: unknown): value is LockHolder {
  const { pid, startedAt: start, gatewayUrl, hasDemoPartner } = Object(value)
  return (
    Number.isInteger(pid) &&
    typeof start === 'string' &&
    (gatewayUrl === undefined || typeof gatewayUrl === 'string') &&
    (hasDemoPartner === undefined || typeof hasDemoPartner === 'boolean')
  )
}
