/** Runs PgBouncer in transaction mode before a PostgreSQL of this machine. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseFreePort, LOOPBACK } from '../../launcher/free-ports.ts'
import { type BackgroundProgram, startProgram, untilReady } from './background-program.ts'
import { answers } from './debian-postgres.ts'

/** PgBouncer does not run as root; this user owns nothing. */
const USER = 'nobody'

/** A running PgBouncer. */
export type PgBouncer = {
  /** The URL of a database through it. */
  through(connectionString: string): string
  /** Stops and starts it, at the same port. */
  restart(): Promise<void>
  stop(): Promise<unknown>
}

/** What differs between the trials of poolers. */
export type PgBouncerOptions = {
  /** The program and its first arguments. */
  readonly command: readonly [string, ...string[]]
  /** Lines of its section `[pgbouncer]`, for example `max_prepared_statements = 200`. */
  readonly settings: readonly string[]
}

/** Every database of the server can be reached through it, and every user without a password. */
export async function startPgBouncer(
  folder: string,
  server: URL,
  { command: [program, ...first], settings }: PgBouncerOptions,
): Promise<PgBouncer> {
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
    ...settings,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  await chmod(file, 0o644)
  const start = () => startProgram([program, ...first, '-u', USER, file])
  let running: BackgroundProgram = start()
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
