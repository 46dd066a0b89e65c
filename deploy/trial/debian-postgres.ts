/** Runs the PostgreSQL of Debian's package for an installation, and interrupts it. */
import { join } from 'node:path'
import { chooseFreePort } from '../../launcher/free-ports.ts'
import { createCluster, createStandby, postgresPrograms, startServer } from '../../setup/trials/postgres-server.ts'

export type DebianPostgres = {
  readonly url: URL
  /** Stops and starts it, at the same port. */
  restart(): Promise<void>
  /** A second node that has every commit takes over at the same address. */
  failOver(): Promise<void>
  stop(): Promise<unknown>
}

/** Its database `havn` needs no password, from this machine only. */
export async function startDebianPostgres(folder: string): Promise<DebianPostgres> {
  const programs = await postgresPrograms()
  const first = { folder: join(folder, 'first'), port: await chooseFreePort() }
  const second = { folder: join(folder, 'second'), port: await chooseFreePort() }
  await createCluster(programs, first, ['fsync = off'])
  let running = await startServer(programs, first)
  await running.query('create database havn')
  const restart = async () => {
    await running.stop()
    running = await startServer(programs, first)
  }
  const failOver = async () => {
    await createStandby(programs, running, second)
    const standby = await startServer(programs, second, { isStandby: true })
    // Commits wait for the standby from now on; stopping sends it the rest.
    await running.query("alter system set synchronous_standby_names = '*'")
    await running.query('select pg_reload_conf()')
    await running.stop()
    await standby.stop()
    running = await startServer(programs, { ...second, port: first.port }, { isStandby: true })
    await running.query('select pg_promote()')
  }
  return { url: new URL('/havn', running.url), restart, failOver, stop: () => running.stop() }
}
