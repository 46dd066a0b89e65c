/** Tests that an embedded PostgreSQL keeps its rows and starts again after any crash. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listProcesses, sendSignal, startedAt, waitUntil } from '../processes.ts'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { findCluster } from './postgres-cluster.ts'
import { belongsTo } from './postmaster.ts'

const WAIT_MILLISECONDS = 10_000
const log = { info: () => undefined }
let dataDir: string
/** The server that was started last, until it ends. */
let current: EmbeddedPostgres | undefined

/** One cluster for all tests, the creation of which was interrupted once: each test starts, reuses, stops or replaces it. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'havn-embedded-'))
  // PostgreSQL's own user can enter it.
  await chmod(dataDir, 0o755)
  await writeFile(
    join(dataDir, 'cluster.json'),
    JSON.stringify({ mark: 'interrupted', port: 0, password: 'interrupted' }),
  )
  await writeFile(join(dataDir, 'unfinished'), 'half a cluster')
})
afterAll(() => removeEmbeddedPostgres(dataDir))

async function start(): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataDir, log })
  current = started
  void started.ended.then(() => {
    current = current === started ? undefined : current
  })
  return started
}

/** A running server; reuses that of an earlier test. */
async function running(): Promise<EmbeddedPostgres> {
  return current ?? (await start())
}

async function query(connectionString: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

async function keepRow(connectionString: string): Promise<void> {
  await query(connectionString, 'drop table if exists kept')
  await query(connectionString, 'create table kept as select 42 as answer')
}

async function processIds(): Promise<readonly number[]> {
  const cluster = await findCluster(dataDir)
  const all = await listProcesses()
  return cluster === undefined ? [] : all.filter((found) => belongsTo(found, cluster)).map(({ pid }) => pid)
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'data', 'postmaster.pid'), 'utf8'), 10)
}

describe('startEmbeddedPostgres', () => {
  it('keeps rows and address over a stop and a start, and leaves no process and no readable log behind', async () => {
    const first = await running()
    await keepRow(first.connectionString)
    await first.stop()
    await first.ended
    expect(await processIds()).toEqual([])
    await chmod(join(dataDir, 'postgres.log'), 0o644)
    const second = await start()
    expect(second.connectionString).toBe(first.connectionString)
    expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600)
    expect(await query(second.connectionString, 'table kept')).toEqual([{ answer: 42 }])
  })

  it('is reached over a socket, and over the network where its path is too long for one', async () => {
    const deep = join(dataDir, 'deep'.repeat(25))
    const { connectionString, stop } = await startEmbeddedPostgres({ dataDir: deep, log })
    const address = 'select inet_server_addr() as address'
    expect(await query(connectionString, address)).toEqual([{ address: '127.0.0.1' }])
    await stop()
    expect(await query((await running()).connectionString, address)).toEqual([{ address: null }])
  })

  it('commits to disk unless configured otherwise', async () => {
    const { connectionString } = await running()
    const shown = await query(
      connectionString,
      "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit",
    )
    expect(shown).toEqual([{ fsync: 'on', commit: 'on' }])
  })

  it('loses no acknowledged commit when the postmaster is killed while a backend is working', async () => {
    const first = await running()
    await keepRow(first.connectionString)
    const computing = query(first.connectionString, 'select count(*) from generate_series(1, 1e12)').catch(
      () => 'ended',
    )
    await waitUntil(
      async () =>
        (
          await query(
            first.connectionString,
            "select 1 from pg_stat_activity where query like '%1e12%' and pid <> pg_backend_pid()",
          )
        ).length > 0,
      WAIT_MILLISECONDS,
    )
    sendSignal(await postmasterPid(), 'SIGKILL')
    await first.ended
    const second = await start()
    expect(await computing).toBe('ended')
    expect(await query(second.connectionString, 'table kept')).toEqual([{ answer: 42 }])
  })

  it('loses no acknowledged commit when every process is killed', async () => {
    const first = await running()
    await keepRow(first.connectionString)
    for (const pid of await processIds()) {
      sendSignal(pid, 'SIGKILL')
    }
    await first.ended
    const second = await start()
    expect(await query(second.connectionString, 'table kept')).toEqual([{ answer: 42 }])
  })

  it('replaces an orphan of another run', async () => {
    const first = await running()
    await keepRow(first.connectionString)
    const before = await postmasterPid()
    const second = await start()
    await first.ended
    expect(await postmasterPid()).not.toBe(before)
    expect(await query(second.connectionString, 'table kept')).toEqual([{ answer: 42 }])
  })

  it('is not stopped by stale files whose number another program has now, and does not touch that program', async () => {
    const first = await running()
    await first.stop()
    const stranger = spawn('sleep', ['1000'], { stdio: 'ignore', uid: (await stat(join(dataDir, 'data'))).uid })
    const port = new URL(first.connectionString).port
    for (const file of ['postmaster.pid', `.s.PGSQL.${port}.lock`]) {
      await writeFile(join(dataDir, 'data', file), `${stranger.pid}\n${join(dataDir, 'data')}\n`)
    }
    const second = await start()
    expect(await query(second.connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
    stranger.kill()
    await once(stranger, 'exit')
  })

  it('reports PostgreSQL’s output when it does not start', async () => {
    const rejected = startEmbeddedPostgres({ dataDir, log, settings: { shared_buffers: 'plenty' } })
    await expect(rejected).rejects.toThrow('invalid value for parameter "shared_buffers": "plenty"')
  })

  it('starts again when creating the cluster was interrupted', async () => {
    const { connectionString } = await running()
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }])
    await expect(stat(join(dataDir, 'unfinished'))).rejects.toThrow('ENOENT')
  })

  it.runIf(process.getuid?.() === 0)(
    'uses another folder, and says so, when its user cannot reach the folder',
    async () => {
      const closed = await mkdtemp(join(tmpdir(), 'havn-embedded-'))
      await chmod(closed, 0o700)
      const reported: string[] = []
      const inner = join(closed, 'postgres')
      const first = await startEmbeddedPostgres({ dataDir: inner, log: { info: (text) => reported.push(text) } })
      await keepRow(first.connectionString)
      await first.stop()
      expect(reported.join('\n')).toMatch(/cannot reach .*: the database is kept in \/var\/lib\/havn\//)
      const second = await startEmbeddedPostgres({ dataDir: inner, log })
      expect(await query(second.connectionString, 'table kept')).toEqual([{ answer: 42 }])
      await removeEmbeddedPostgres(inner)
      await rm(closed, { recursive: true })
    },
  )
})

describe('removeEmbeddedPostgres', () => {
  it('stops what still runs and leaves no folder', async () => {
    await running()
    const processes = await processIds()
    expect(processes).not.toEqual([])
    await removeEmbeddedPostgres(dataDir)
    await expect(readFile(join(dataDir, 'cluster.json'))).rejects.toThrow('ENOENT')
    expect(await Promise.all(processes.map(startedAt))).toEqual(processes.map(() => undefined))
  })
})
