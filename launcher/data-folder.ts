/** Makes the data folder of one machine, with the master key in it, and keeps a second start out of it. */
import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { newMasterKey } from '../gateway/platform/crypto/envelope-encryption.ts'
import { startedAt, waitUntil } from './processes.ts'

/** The data folder's parts. */
export type DataFolder = {
  readonly path: string
  readonly postgres: string
  readonly logs: string
  readonly masterKeyFile: string
  /** Of this sandbox alone. */
  readonly certificates: string
}

/** Who holds the folder: a process id alone would do for whatever program has that number later. */
const Holder = Type.Object({ pid: Type.Integer(), startedAt: Type.String() })

/** After a kill of npm alone its supervisor is still stopping: a start right after waits for it. */
const HOLDER_ENDS_MILLISECONDS = 3_000
const FIRST_KEY_ID = 'key-1'

/** Where things are in a data folder. */
export function dataFolderAt(path: string): DataFolder {
  return {
    path,
    postgres: join(path, 'postgres'),
    logs: join(path, 'logs'),
    masterKeyFile: join(path, 'master.key'),
    certificates: join(path, 'certificates'),
  }
}

/** Makes what is missing of the folder. */
export async function prepareDataFolder(folder: DataFolder): Promise<void> {
  // PostgreSQL's own user must be able to pass when everything runs as root.
  await mkdir(folder.path, { recursive: true, mode: 0o755 })
  await mkdir(folder.logs, { recursive: true, mode: 0o700 })
  const found = await stat(folder.masterKeyFile).catch(() => undefined)
  if (found === undefined) {
    const unfinished = `${folder.masterKeyFile}.new`
    await writeFile(unfinished, `${newMasterKey(FIRST_KEY_ID)}\n`, { mode: 0o600 })
    await rename(unfinished, folder.masterKeyFile)
  }
}

/** Takes the folder for this process; answers how to let it go. Fails when another process has it. */
export async function holdDataFolder(folder: DataFolder): Promise<() => Promise<void>> {
  await mkdir(folder.path, { recursive: true, mode: 0o755 })
  const file = join(folder.path, 'holder.json')
  const mine = `${file}.${randomUUID()}`
  await writeFile(mine, JSON.stringify({ pid: process.pid, startedAt: await startedAt(process.pid) }))
  try {
    const taken = await waitUntil(() => tryToHold(file, mine), HOLDER_ENDS_MILLISECONDS)
    if (!taken) {
      const holder = await readHolder(file)
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

/** A hard link is made by one process only, however many try. */
async function tryToHold(file: string, mine: string): Promise<boolean> {
  const isMine = await link(mine, file).then(
    () => true,
    () => false,
  )
  if (!isMine && !(await isHeld(file))) {
    await removeStale(file, mine)
  }
  return isMine
}

/** Moves the file aside before deleting it, and puts it back if somebody alive took it in between. */
async function removeStale(file: string, mine: string): Promise<void> {
  const aside = `${mine}.stale`
  await rename(file, aside).catch(() => undefined)
  if (await isHeld(aside)) {
    await link(aside, file).catch(() => undefined)
  }
  await rm(aside, { force: true })
}

async function isHeld(file: string): Promise<boolean> {
  const holder = await readHolder(file)
  return holder !== undefined && (await startedAt(holder.pid)) === holder.startedAt
}

async function readHolder(file: string): Promise<Static<typeof Holder> | undefined> {
  try {
    return Value.Parse(Holder, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}
