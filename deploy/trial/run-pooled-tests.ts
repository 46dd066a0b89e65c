/** Runs journeys of the tests through PgBouncer in transaction mode, on the PostgreSQL of Debian's package. */

import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findDebianPostgres } from '../../gateway/testing/debian-packages.ts'
import { startProgram, untilReady } from '../../gateway/testing/gateway/background-program.ts'
import { chooseFreePort, LOOPBACK } from '../../launcher/free-ports.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { answers } from '../../setup/trials/postgres-server.ts'
import { startDebianPostgres } from './debian-postgres.ts'

const JOURNEYS = ['pay-a-supplier', 'payroll', 'webhooks', 'order-crash', 'payment-with-exchange']
const MIGRATIONS = 'gateway/platform/database/migrate.test.ts'
const COUNT = /Tests\D+(\d+) passed/

/** What `havn doctor` says with each mode; PgBouncer of Debian 12 does not prepare statements again. */
const FINDING_BY_MODE = {
  session: 'pooler-transaction-mode',
  'transaction-prepared': 'pooler-prepared-statements',
  transaction: 'pooler-session-settings',
} as const
/** The first PgBouncer that prepares statements again, if it is so configured. */
const PREPARING_VERSION = 21

export async function runPooledTests(folder: string): Promise<string> {
  const postgres = await startDebianPostgres(join(folder, 'postgres'))
  const pooler = await startPgBouncer(join(folder, 'pgbouncer'), postgres.url)
  try {
    const version = (await runProgram('pgbouncer', ['--version'], { folder })).split('\n')[0] ?? ''
    await requireFindings(folder, pooler.through(postgres.url.href))
    const tests = [...JOURNEYS.map((name) => `gateway/journeys/${name}.test.ts`), MIGRATIONS]
    const variables = {
      HAVN_TEST_DATABASE_URL: new URL('/postgres', postgres.url).href,
      HAVN_TEST_POOLER: new URL(pooler.through(postgres.url.href)).host,
    }
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
    const printed = await runProgram(process.execPath, [vitest, 'run', ...tests], { folder: ROOT, variables })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal.
    const count = COUNT.exec(printed.replaceAll(/\u001b\[\d+m/g, ''))?.[1]
    return `${count} tests of ${JOURNEYS.length} journeys and migrations, PostgreSQL ${(await findDebianPostgres())?.version}, ${version}`
  } finally {
    await pooler.stop()
    await postgres.stop()
  }
}

async function requireFindings(folder: string, databaseUrl: string): Promise<void> {
  const version = await runProgram('pgbouncer', ['--version'], { folder })
  const isPreparing = Number(/1\.(\d+)/.exec(version)?.[1]) >= PREPARING_VERSION
  for (const [mode, finding] of Object.entries(FINDING_BY_MODE)) {
    if (mode === 'transaction-prepared' && isPreparing) {
      continue
    }
    const variables = { DATABASE_URL: databaseUrl, HAVN_DATABASE_POOL_MODE: mode }
    // It ends with 1 for an error, and its whole report counts.
    const doctor = `"${process.execPath}" "${join(ROOT, 'cli', 'havn.ts')}" doctor --offline --json || true`
    const printed = await runProgram('sh', ['-c', doctor], { folder, variables })
    if (!printed.includes(`"${finding}"`)) {
      throw new Error(
        `havn doctor does not find ${finding} with HAVN_DATABASE_POOL_MODE=${mode}:\n${printed.slice(-2_000)}`,
      )
    }
  }
}

/** PgBouncer does not run as root; this user owns nothing. */
const USER = 'nobody'

type PgBouncer = {
  /** The URL of a database through it. */
  through(connectionString: string): string
  /** Stops and starts it, at the same port. */
  restart(): Promise<void>
  stop(): Promise<unknown>
}

/** Every database of the server can be reached through it, and every user without a password. */
export async function startPgBouncer(folder: string, server: URL): Promise<PgBouncer> {
  const port = await chooseFreePort()
  const file = join(folder, 'pgbouncer.ini')
  await mkdir(folder, { recursive: true })
  const password = server.password === '' ? '' : ` password=${decodeURIComponent(server.password)}`
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}${password}`,
    '[pgbouncer]',
    ...[`listen_addr = ${LOOPBACK}`, `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...['pool_mode = transaction', 'default_pool_size = 10', 'max_client_conn = 400', 'admin_users = nobody'],
    ...['server_login_retry = 1', 'server_connect_timeout = 5', 'query_wait_timeout = 15'],
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  await chmod(file, 0o644)
  const start = () => startProgram(['pgbouncer', '-u', USER, file])
  let running = start()
  const through = (connectionString: string) => {
    const url = new URL(connectionString)
    return `postgres://${url.username}@${LOOPBACK}:${port}${url.pathname}`
  }
  const ready = () => untilReady(running, async () => await answers(through(server.href), 'select 1'))
  const restart = async () => {
    await running.stop()
    running = start()
    await ready()
  }
  await ready()
  return { through, restart, stop: () => running.stop() }
}
