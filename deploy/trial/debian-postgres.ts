/** Runs the PostgreSQL of Debian's package with a database of its own in a folder. */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { chooseFreePort, LOOPBACK } from '../../launcher/free-ports.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import { DEBIAN_POSTGRES, findDebianPostgres } from '../../setup/debian-packages.ts'
import { startProgram, untilReady } from './background-program.ts'

const USER = 'postgres'

export type DebianPostgres = {
  readonly url: URL
  readonly version: string
  /** Stops and starts it, at the same port. */
  restart(): Promise<void>
  /** A second node that has every commit takes over at the same address. */
  failOver(): Promise<void>
  stop(): Promise<unknown>
}

/** The user `havn` connects without a password, from this machine only. */
export async function startDebianPostgres(folder: string): Promise<DebianPostgres> {
  const found = await findDebianPostgres()
  if (found === undefined) {
    throw new Error(`${DEBIAN_POSTGRES} is empty: install the package postgresql`)
  }
  const { version, programs } = found
  const [first, second] = [join(folder, 'data'), join(folder, 'second')]
  const [port, secondPort] = [await chooseFreePort(), await chooseFreePort()]
  await mkdir(folder, { recursive: true })
  await runProgram('chown', [USER, folder], { folder })
  await chmod(folder, 0o755)
  const asUser = (program: string, options: readonly string[]) =>
    runProgram('runuser', ['-u', USER, '--', join(programs, program), ...options], { folder })
  await asUser('initdb', ['-D', first, '--username=havn', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'])
  const start = (data: string, at: number) => {
    const settings = [`listen_addresses=${LOOPBACK}`, `port=${at}`, `unix_socket_directories=${folder}`]
    const options = [...settings, 'max_connections=200', 'fsync=off'].flatMap((setting) => ['-c', setting])
    // PostgreSQL stops without waiting for its clients at SIGINT; setpriv, unlike runuser, becomes the program.
    const setpriv = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups'] as const
    return startProgram([...setpriv, join(programs, 'postgres'), '-D', data, ...options], process.env, 'SIGINT')
  }
  let running = start(first, port)
  const server = `postgres://havn@${LOOPBACK}`
  const ready = (at: number, statement: string) => untilReady(running, () => answers(`${server}:${at}/havn`, statement))
  await untilReady(running, () => answers(`${server}:${port}/postgres`, 'create database havn'))
  const restart = async () => {
    await running.stop()
    running = start(first, port)
    await ready(port, 'select 1')
  }
  const failOver = async () => {
    await asUser('pg_basebackup', [...['-D', second, '-d', `${server}:${port}/havn`], '-R', '--checkpoint=fast'])
    const standby = start(second, secondPort)
    await untilReady(standby, () => answers(`${server}:${secondPort}/havn`, 'select 1'))
    // Commits wait for the standby from now on; stopping sends it the rest.
    await answers(`${server}:${port}/havn`, "alter system set synchronous_standby_names = '*'")
    await answers(`${server}:${port}/havn`, 'select pg_reload_conf()')
    await running.stop()
    await standby.stop()
    running = start(second, port)
    await ready(port, 'select pg_promote()')
  }
  return { url: new URL(`${server}:${port}/havn`), version, restart, failOver, stop: () => running.stop() }
}

/** Whether a server executes a statement; false while it does not accept connections. */
export async function answers(connectionString: string, statement: string): Promise<boolean> {
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
