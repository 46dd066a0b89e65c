/** Runs the PostgreSQL of Debian's package with a database of its own in a folder. */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { chooseFreePort, LOOPBACK } from '../../launcher/free-ports.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import { DEBIAN_POSTGRES, findDebianPostgres } from '../../setup/debian-postgres.ts'
import { startProgram, untilReady } from './background-program.ts'

const USER = 'postgres'

export type DebianPostgres = {
  readonly url: URL
  readonly version: string
  /** Stops and starts it, at the same port. */
  restart(): Promise<void>
  stop(): Promise<unknown>
}

/** The user `havn` connects without a password, from this machine only. */
export async function startDebianPostgres(folder: string): Promise<DebianPostgres> {
  const found = await findDebianPostgres()
  if (found === undefined) {
    throw new Error(`${DEBIAN_POSTGRES} is empty: install the package postgresql`)
  }
  const { version, programs } = found
  const data = join(folder, 'data')
  const port = await chooseFreePort()
  await mkdir(folder, { recursive: true })
  await runProgram('chown', [USER, folder], { folder })
  await chmod(folder, 0o755)
  const asUser = ['runuser', '-u', USER, '--'] as const
  const cluster = ['--username=havn', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  await runProgram(asUser[0], [...asUser.slice(1), join(programs, 'initdb'), '-D', data, ...cluster], { folder })
  const settings = [`listen_addresses=${LOOPBACK}`, `port=${port}`, `unix_socket_directories=${folder}`]
  const options = [...settings, 'max_connections=200', 'fsync=off'].flatMap((setting) => ['-c', setting])
  // PostgreSQL stops without waiting for its clients at SIGINT; setpriv, unlike runuser, becomes the program.
  const setpriv = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups'] as const
  const start = () =>
    startProgram([...setpriv, join(programs, 'postgres'), '-D', data, ...options], process.env, 'SIGINT')
  let running = start()
  const server = `postgres://havn@${LOOPBACK}:${port}`
  await untilReady(running, () => answers(`${server}/postgres`, 'create database havn'))
  const restart = async () => {
    await running.stop()
    running = start()
    await untilReady(running, () => answers(`${server}/havn`, 'select 1'))
  }
  return { url: new URL(`${server}/havn`), version, restart, stop: () => running.stop() }
}

/** False while the server does not accept connections. */
async function answers(connectionString: string, statement: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    await client.query(statement)
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
