/** Runs servers of Debian's PostgreSQL for trials, each with its own cluster: also lost, failed over, and restored. */
import { execFile } from 'node:child_process'
import { appendFile, chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { DEBIAN_POSTGRES, ensureInstalled, findDebianPostgres } from '../../gateway/testing/debian-packages.ts'
import { startProgram, untilReady } from '../../gateway/testing/gateway/background-program.ts'

const run = promisify(execFile)
/** PostgreSQL does not run as root. */
const SERVER_USER = 'postgres'
const CONFIGURATION = [
  "unix_socket_directories = ''",
  "listen_addresses = '127.0.0.1'",
  'max_connections = 200',
  "timezone = 'UTC'",
]

/** Where a server keeps its files, all below one folder. */
export type ServerPlace = { readonly folder: string; readonly port: number }

export type PostgresServer = {
  readonly url: string
  query<Row extends object>(text: string): Promise<readonly Row[]>
  /** As when the machine and its disk are lost: nothing is flushed, and the data directory is gone. */
  lose(): Promise<void>
  /** Without waiting for its clients. */
  stop(): Promise<unknown>
}

/** The folder with the newest release's programs; installs PostgreSQL where that is permitted. */
export async function postgresPrograms(): Promise<string> {
  await ensureInstalled({
    packages: ['postgresql'],
    isInstalled: async () => (await findDebianPostgres()) !== undefined,
    instructions: `The trial needs PostgreSQL with pg_basebackup in ${DEBIAN_POSTGRES}: install the package postgresql`,
    progress: 'Installing PostgreSQL …',
    stillMissing: `${DEBIAN_POSTGRES} is empty`,
  })
  return (await findDebianPostgres())?.programs ?? ''
}

export async function createCluster(
  programs: string,
  { folder }: ServerPlace,
  configuration: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await giveToServer(folder)
  const options = ['--pgdata', join(folder, 'data'), '--username', SERVER_USER, '--auth', 'trust', '--encoding', 'UTF8']
  await asServerUser(join(programs, 'initdb'), [...options, '--locale', 'C.UTF-8'])
  await appendFile(join(folder, 'data', 'postgresql.conf'), `${[...CONFIGURATION, ...configuration].join('\n')}\n`)
}

/** The configuration that archives WAL as the operators' guide says. */
export function archivedIn(archive: string): readonly string[] {
  return [
    'wal_level = replica',
    'archive_mode = on',
    `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'`,
    'archive_timeout = 60',
  ]
}

/** Returns when it accepts connections, and is not in recovery unless it is a standby. */
export async function startServer(
  programs: string,
  { folder, port }: ServerPlace,
  { isStandby = false } = {},
): Promise<PostgresServer> {
  const data = join(folder, 'data')
  const url = `postgres://${SERVER_USER}@127.0.0.1:${port}/${SERVER_USER}`
  const command = commandOf(join(programs, 'postgres'), ['-D', data, '-p', String(port)])
  const log = join(folder, 'server.log')
  const program = startProgram(command, { signal: 'SIGINT', detached: true, log })
  const query: PostgresServer['query'] = async (text) => await queryOnce(url, text)
  await untilReady(program, async () => {
    const rows = await query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering').catch(() => [])
    return rows[0] !== undefined && (isStandby || !rows[0].recovering)
  })
  return {
    url,
    query,
    lose: async () => {
      // The whole group: backends outlive a postmaster that is killed alone.
      await program.stop('SIGKILL', -program.pid)
      await rm(data, { recursive: true })
    },
    stop: () => program.stop(),
  }
}

/** Whether a server executes a statement; false while it does not accept connections. */
export async function answers(connectionString: string, statement: string): Promise<boolean> {
  return await queryOnce(connectionString, statement).then(
    () => true,
    () => false,
  )
}

async function queryOnce<Row extends object>(connectionString: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Takes a base backup of a running server, and verifies it. */
export async function takeBaseBackup(programs: string, server: PostgresServer, target: string): Promise<void> {
  const options = [`--dbname=${server.url}`, `--pgdata=${target}`, '--checkpoint=fast', '--wal-method=stream']
  await run(join(programs, 'pg_basebackup'), options)
  await run(join(programs, 'pg_verifybackup'), [target])
}

/** Creates a cluster that follows a running server from its next start on. */
export async function createStandby(programs: string, server: PostgresServer, { folder }: ServerPlace): Promise<void> {
  const data = join(folder, 'data')
  await mkdir(folder, { recursive: true })
  await run(join(programs, 'pg_basebackup'), [`--dbname=${server.url}`, `--pgdata=${data}`, '-R', '--checkpoint=fast'])
  await giveToServer(folder)
}

/** Puts a base backup in place, to be replayed from the archive up to a point in time at the next start. */
export async function restoreTo(
  { folder }: ServerPlace,
  { backup, archive, until }: { readonly backup: string; readonly archive: string; readonly until: string },
): Promise<void> {
  const data = join(folder, 'data')
  await cp(backup, data, { recursive: true })
  await writeFile(join(data, 'recovery.signal'), '')
  await appendFile(
    join(data, 'postgresql.conf'),
    `restore_command = 'cp ${archive}/%f %p'
recovery_target_time = '${until}'
recovery_target_action = 'promote'
`,
  )
  await chmod(data, 0o700)
  await giveToServer(data)
}

async function giveToServer(path: string): Promise<void> {
  if (process.getuid?.() === 0) {
    await run('chown', ['-R', SERVER_USER, path])
  }
}

async function asServerUser(program: string, words: readonly string[]): Promise<void> {
  const [first, ...rest] = commandOf(program, words)
  await run(first, rest, { cwd: '/' })
}

function commandOf(program: string, words: readonly string[]): readonly [string, ...string[]] {
  return process.getuid?.() === 0
    ? ['setpriv', `--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--clear-groups', program, ...words]
    : [program, ...words]
}
