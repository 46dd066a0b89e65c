/** Runs PostgreSQL servers of the drill: with archived WAL, base backups, and a restore to a point in time. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { sendSignal, waitUntil } from '../launcher/processes.ts'
import { DEBIAN_POSTGRES, ensureInstalled, findDebianPostgres } from '../setup/debian-packages.ts'

const run = promisify(execFile)
const READY_MILLISECONDS = 60_000
/** PostgreSQL does not run as root. */
const SERVER_USER = 'postgres'

/** Where a server keeps its files, all below one folder. */
export type ServerPlace = { readonly folder: string; readonly port: number }

/** A running server. */
export type PostgresServer = {
  readonly url: string
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** As when the machine and its disk are lost: nothing is flushed, and the data directory is gone. */
  lose(): Promise<void>
  stop(): Promise<void>
}

/** The folder with the newest release's programs; installs PostgreSQL where that is permitted. */
export async function postgresPrograms(): Promise<string> {
  await ensureInstalled({
    packages: ['postgresql'],
    isInstalled: async () => (await findDebianPostgres()) !== undefined,
    instructions: `The drill needs PostgreSQL with pg_basebackup in ${DEBIAN_POSTGRES}: install the package postgresql`,
    progress: 'Installing PostgreSQL …',
    stillMissing: `${DEBIAN_POSTGRES} is empty`,
  })
  return (await findDebianPostgres())?.programs ?? ''
}

/** Creates a cluster whose WAL is archived as the operators' guide says. */
export async function createCluster(programs: string, { folder }: ServerPlace): Promise<void> {
  const archive = join(folder, 'wal')
  await mkdir(archive, { recursive: true })
  await asServerUser('chown', ['-R', SERVER_USER, folder], { asRoot: true })
  const options = ['--pgdata', join(folder, 'data'), '--username', SERVER_USER, '--auth', 'trust', '--encoding', 'UTF8']
  await asServerUser(join(programs, 'initdb'), [...options, '--locale', 'C.UTF-8'])
  await appendFile(
    join(folder, 'data', 'postgresql.conf'),
    `wal_level = replica
archive_mode = on
archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'
archive_timeout = 60
unix_socket_directories = ''
listen_addresses = '127.0.0.1'
max_connections = 200
timezone = 'UTC'
`,
  )
}

/** Starts a cluster and returns when it accepts connections and is not in recovery. */
export async function startServer(programs: string, { folder, port }: ServerPlace): Promise<PostgresServer> {
  const data = join(folder, 'data')
  const log = join(folder, 'server.log')
  const url = `postgres://${SERVER_USER}@127.0.0.1:${port}/${SERVER_USER}`
  const [program = '', ...words] = commandOf('sh', [
    '-c',
    `exec "$0" -D "$1" -p "$2" >> "$3" 2>&1`,
    join(programs, 'postgres'),
    data,
    String(port),
    log,
  ])
  const child = spawn(program, words, { stdio: 'ignore', detached: true })
  const ended = once(child, 'exit')
  const query: PostgresServer['query'] = async (text, values = []) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text, [...values])).rows
    } finally {
      await client.end()
    }
  }
  const isReady = async () => {
    const rows = await query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering').catch(() => [])
    return rows[0]?.recovering === false
  }
  if (
    !(await waitUntil(async () => child.exitCode !== null || (await isReady()), READY_MILLISECONDS)) ||
    child.exitCode !== null
  ) {
    throw new Error(`PostgreSQL did not start:\n${(await readFile(log, 'utf8')).slice(-2_000)}`)
  }
  const end = async (signal: 'SIGQUIT' | 'SIGINT') => {
    const pid = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10)
    if (child.exitCode === null && child.signalCode === null && pid > 0) {
      sendSignal(pid, signal)
      await ended
    }
  }
  return {
    url,
    query,
    lose: async () => {
      // SIGKILL to the whole group: backends outlive a postmaster that is killed alone.
      process.kill(-Number(child.pid), 'SIGKILL')
      await ended
      await rm(data, { recursive: true })
    },
    stop: () => end('SIGINT'),
  }
}

/** Takes a base backup of a running server, and verifies it. */
export async function takeBaseBackup(programs: string, server: PostgresServer, target: string): Promise<void> {
  const options = [`--dbname=${server.url}`, `--pgdata=${target}`, '--checkpoint=fast', '--wal-method=stream']
  await run(join(programs, 'pg_basebackup'), options)
  await run(join(programs, 'pg_verifybackup'), [target])
}

/** Puts a base backup in place, to be replayed from the archive up to a point in time at the next start. */
export async function restoreTo(
  { folder }: ServerPlace,
  { backup, until }: { readonly backup: string; readonly until: string },
): Promise<void> {
  const data = join(folder, 'data')
  await cp(backup, data, { recursive: true })
  await writeFile(join(data, 'recovery.signal'), '')
  await appendFile(
    join(data, 'postgresql.conf'),
    `restore_command = 'cp ${join(folder, 'wal')}/%f %p'
recovery_target_time = '${until}'
recovery_target_action = 'promote'
`,
  )
  await chmod(data, 0o700)
  await asServerUser('chown', ['-R', SERVER_USER, data], { asRoot: true })
}

async function asServerUser(program: string, words: readonly string[], { asRoot = false } = {}): Promise<void> {
  const isRoot = process.getuid?.() === 0
  if (asRoot && !isRoot) {
    return
  }
  const [first = '', ...rest] = asRoot ? [program, ...words] : commandOf(program, words)
  await run(first, rest, { cwd: '/' })
}

function commandOf(program: string, words: readonly string[]): readonly string[] {
  return process.getuid?.() === 0
    ? ['setpriv', `--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--clear-groups', program, ...words]
    : [program, ...words]
}
