/** Tests migrations on a database in use: locks that other sessions hold, two runs at once, interrupted indexes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { pooledUrl } from '../../testing/database/pooled-url.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { type MigrationOptions, type MigrationRun, migrate } from './migrate.ts'

const TABLE = ['0001-orders.sql', 'create table orders (id int); insert into orders values (1);'] as const
const COLUMN = ['0002-note.sql', 'alter table orders add column note text;'] as const
const INDEX = [
  '0002-index.sql',
  '-- without transaction\n-- Orders are looked up by id.\ncreate index concurrently orders_id\n  on orders (id);\n',
] as const
const SCHEMA = 'trial'
/** The limit is never reached in a test that passes. */
const PATIENT = { waitSeconds: 600, pauseMilliseconds: 200 }

type Session = { readonly client: pg.Client; readonly pid: number }
type Trial = {
  addFile(file: readonly [string, string]): Promise<void>
  removeFile(name: string): Promise<void>
  run(options?: MigrationOptions): Promise<MigrationRun>
  openSession(applicationName: string): Promise<Session>
  /** A transaction that has read, written or only begun, and stays open. */
  openTransaction(statement: string): Promise<Session>
  read<Row extends pg.QueryResultRow>(statement: string, values?: readonly unknown[]): Promise<Row[]>
  appliedNames(): Promise<readonly string[]>
}

/** A database of its own with the first migration, and its folder of migrations. */
const it = test.extend<{ trial: Trial }>({
  trial: async ({ onTestFinished }, use) => {
    const database = await freshDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'havn-migrations-'))
    const sessions: pg.Client[] = []
    onTestFinished(async () => {
      await Promise.all(sessions.map((session) => session.end()))
      await database.drop()
      await rm(folder, { recursive: true })
    })
    await use(await openTrial(database, folder, sessions))
  },
})

async function openTrial({ connectionString }: FreshDatabase, folder: string, sessions: pg.Client[]): Promise<Trial> {
  const addFile: Trial['addFile'] = ([name, sql]) => writeFile(join(folder, name), sql)
  const run: Trial['run'] = (options = {}) =>
    migrate(pooledUrl(connectionString), pathToFileURL(`${folder}/`), { schema: SCHEMA, ...options })
  const openSession: Trial['openSession'] = async (applicationName) => {
    const client = new pg.Client({ connectionString, application_name: applicationName, statement_timeout: 0 })
    client.on('error', () => undefined)
    sessions.push(client)
    await client.connect()
    await client.query(`set search_path to ${SCHEMA}`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return { client, pid: rows[0]?.pid ?? 0 }
  }
  await addFile(TABLE)
  await run()
  const { client: reader } = await openSession('reader')
  const read: Trial['read'] = async <Row extends pg.QueryResultRow>(
    statement: string,
    values: readonly unknown[] = [],
  ) => (await reader.query<Row>(statement, [...values])).rows
  return {
    addFile,
    removeFile: (name) => rm(join(folder, name)),
    run,
    openSession,
    openTransaction: async (statement) => {
      const session = await openSession('a report')
      await session.client.query(`begin isolation level repeatable read; ${statement}`)
      return session
    },
    read,
    appliedNames: async () =>
      (await read<{ name: string }>('select name from migrations order by number')).map(({ name }) => name),
  }
}

const indexesOf = async ({ read }: Trial) =>
  await read(
    "select relname::text as name, indisvalid as valid from pg_index join pg_class on oid = indexrelid where relname like 'orders%'",
  )
/** The process that creates the index, once it waits for another session. */
const waitingBuilder = async ({ read }: Trial) =>
  await expect
    .poll(async () => {
      const rows = await read<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query like 'create index concurrently%'`,
      )
      return rows[0]?.pid
    })
    .toBeDefined()

describe.concurrent('a migration that another transaction blocks', () => {
  it('lets requests pass between its attempts, and is applied when the transaction has ended', async ({
    trial: { addFile, appliedNames, openSession, openTransaction, read, run },
  }) => {
    await addFile(COLUMN)
    const blocker = await openTransaction('select from orders')
    const request = await openSession('request')
    const lines: string[] = []
    const running = run({ ...PATIENT, lockTimeoutMilliseconds: 500, reportWait: (line) => lines.push(line) })
    const requestWaited = async () => {
      let isAnswered = false
      const answered = request.client.query('select from orders').finally(() => {
        isAnswered = true
      })
      let waited = false
      while (!isAnswered && !waited) {
        const [row] = await read<{ waits: boolean }>(
          "select exists (select from pg_locks where pid = any(pg_blocking_pids($1)) and locktype = 'relation' and not granted) as waits",
          [request.pid],
        )
        waited = row?.waits === true
      }
      await answered
      return waited
    }
    await eventually(async () => expect(await requestWaited()).toBe(true))
    // The request behind the migration was answered, and what blocks the migration is as before.
    expect(await appliedNames()).toEqual([TABLE[0]])
    const named = `Migration 0002-note.sql waits for the table trial.orders, blocked by pid ${blocker.pid} \\(a report, user \\w+, idle in transaction, transaction open for \\d+ s\\); next attempt in \\d+ s`
    await eventually(() => expect(lines.join()).toMatch(new RegExp(named)))
    await blocker.client.query('rollback')
    expect(await running).toEqual({ applied: [COLUMN[0]], version: 2, newer: [] })
  })

  it('ends with an error that names the transaction when it stays, and nothing of it is applied', async ({
    trial: { addFile, appliedNames, openTransaction, read, run },
  }) => {
    await addFile(['0002-first.sql', 'create table first (id int);'])
    await addFile(['0003-both.sql', 'create table second (id int); alter table orders add column note text;'])
    const blocker = await openTransaction('select from orders')
    const applied: string[] = []
    const ended = run({ waitSeconds: 0, reportApplied: (name) => applied.push(name) })
    await expect(ended).rejects.toThrow(
      new RegExp(
        `^Migration 0003-both.sql is not applied, and nothing of it: it waited for the table trial.orders, blocked by ` +
          `pid ${blocker.pid} \\(a report, user \\w+, idle in transaction, transaction open for \\d+ s\\)\\. ` +
          `.*pg_terminate_backend\\(${blocker.pid}\\).*run havn migrate again; --wait-seconds`,
      ),
    )
    expect(applied).toEqual(['0002-first.sql'])
    expect(await appliedNames()).toEqual([TABLE[0], '0002-first.sql'])
    expect(await read("select to_regclass('second') as second, to_regclass('first') is not null as first")).toEqual([
      { second: null, first: true },
    ])
  })

  it('names the table of a row that it waits for', async ({ trial: { addFile, openTransaction, run } }) => {
    await addFile(['0002-update.sql', 'update orders set id = 2;'])
    const blocker = await openTransaction('update orders set id = 3')
    await expect(run({ waitSeconds: 0 })).rejects.toThrow(
      `it waited for a row of the table trial.orders, blocked by pid ${blocker.pid} (a report`,
    )
  })
})

describe('a migration that fails', () => {
  it('says why, and nothing of it is applied', async ({ trial: { addFile, appliedNames, read, run } }) => {
    await addFile(['0002-wrong.sql', 'create table second (id int); alter table missing add column a int;'])
    await expect(run()).rejects.toThrow('Migration 0002-wrong.sql failed: relation "missing" does not exist')
    expect(await appliedNames()).toEqual([TABLE[0]])
    expect(await read("select to_regclass('second') as second")).toEqual([{ second: null }])
  })
})

describe('two runs at once', () => {
  it('apply each migration once', async ({ trial }) => {
    const { addFile, run } = trial
    await addFile(COLUMN)
    await addFile(['0003-index.sql', INDEX[1]])
    const runs = await Promise.all([run(PATIENT), run(PATIENT), run(PATIENT)])
    expect(runs.flatMap(({ applied }) => applied).toSorted()).toEqual([COLUMN[0], '0003-index.sql'])
    expect(await indexesOf(trial)).toEqual([{ name: 'orders_id', valid: true }])
  })

  it('one names the other and waits, for no longer than it may, and applies nothing that the other has applied', async ({
    trial: { addFile, openTransaction, read, run },
  }) => {
    await addFile(COLUMN)
    const blocker = await openTransaction('select from orders')
    const lines: string[] = []
    const second = run({ ...PATIENT, lockTimeoutMilliseconds: 100, reportWait: (line) => lines.push(line) })
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    const first = run({ ...PATIENT, lockTimeoutMilliseconds: 600_000 })
    // Only the first one waits for so long.
    const waiting = async () =>
      await read<{ pid: number }>(
        `select pid from pg_locks where mode = 'AccessExclusiveLock' and waitstart < clock_timestamp() - interval '1 second'
           and database = (select oid from pg_database where datname = current_database())`,
      )
    await expect.poll(waiting).toHaveLength(1)
    const named = `waited for another havn migrate, blocked by pid ${(await waiting())[0]?.pid} (havn migrate, `
    await expect(run({ waitSeconds: 0 })).rejects.toThrow(named)
    await expect.poll(() => lines.join()).toContain(named.replace('waited', 'waits'))
    await blocker.client.query('rollback')
    expect(await first).toMatchObject({ applied: [COLUMN[0]] })
    expect(await second).toMatchObject({ applied: [], version: 2 })
  })
})

describe('an index that is created without a transaction', () => {
  it('waits for older transactions while the table is written to, without a limit of the user for statements', async ({
    trial,
  }) => {
    const { addFile, appliedNames, openTransaction, read, run } = trial
    await read(
      `do $$ begin execute format('alter database %I set statement_timeout = 1000', current_database()); end $$`,
    )
    await addFile(INDEX)
    const blocker = await openTransaction('insert into orders values (2)')
    const { promise: reported, resolve } = Promise.withResolvers<string>()
    const running = run({ ...PATIENT, reportWait: resolve })
    expect(await reported).toMatch(
      new RegExp(
        `^The index orders_id waits for .*, blocked by pid ${blocker.pid} \\(a report, .*\\); requests do not wait`,
      ),
    )
    await read('insert into orders values (3)')
    expect(await appliedNames()).toEqual([TABLE[0]])
    await blocker.client.query('commit')
    expect(await running).toMatchObject({ applied: [INDEX[0]] })
    expect(await indexesOf(trial)).toEqual([{ name: 'orders_id', valid: true }])
  })

  it('is cancelled and deleted when an older transaction stays', async ({ trial }) => {
    const { addFile, appliedNames, openTransaction, run } = trial
    await addFile(INDEX)
    const blocker = await openTransaction('select 1')
    await expect(run({ waitSeconds: 0 })).rejects.toThrow(
      `Migration 0002-index.sql is not applied, and nothing of it: it waited for transactions that are older than its index, blocked by pid ${blocker.pid} (a report`,
    )
    expect(await indexesOf(trial)).toEqual([])
    expect(await appliedNames()).toEqual([TABLE[0]])
  })

  it('is created again when an earlier run was interrupted and left an invalid one', async ({ trial }) => {
    const { addFile, openTransaction, read, run } = trial
    await addFile(INDEX)
    const blocker = await openTransaction('insert into orders values (2)')
    const interrupted = run({ ...PATIENT, lockTimeoutMilliseconds: 100 })
    const rejected = expect(interrupted).rejects.toThrow('Migration 0002-index.sql failed')
    await waitingBuilder(trial)
    await read(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'`,
    )
    await rejected
    expect(await indexesOf(trial)).toEqual([{ name: 'orders_id', valid: false }])
    await blocker.client.query('commit')
    expect(await run()).toMatchObject({ applied: [INDEX[0]] })
    expect(await indexesOf(trial)).toEqual([{ name: 'orders_id', valid: true }])
  })

  it('is not created twice when the server still creates it for a run that was killed', async ({ trial }) => {
    const { addFile, openSession, openTransaction, read, run } = trial
    await addFile(INDEX)
    const blocker = await openTransaction('insert into orders values (2)')
    const orphan = await openSession('havn migrate')
    const created = orphan.client.query('create index concurrently orders_id on orders (id)')
    await waitingBuilder(trial)
    const { promise: reported, resolve } = Promise.withResolvers<string>()
    const running = run({ ...PATIENT, reportWait: resolve })
    expect(await reported).toContain(
      `waits for the index orders_id, which another session creates, blocked by pid ${orphan.pid} (havn migrate, `,
    )
    await blocker.client.query('commit')
    await created
    const [before] = await read<{ oid: number }>("select 'orders_id'::regclass::oid")
    expect(await running).toMatchObject({ applied: [INDEX[0]] })
    expect(await read("select 'orders_id'::regclass::oid")).toEqual([before])
  })

  it.for([
    ['is not concurrent', 'create index orders_id on orders (id);'],
    ['are two statements', 'create index concurrently a on orders (id); create index concurrently b on orders (id);'],
    ['would be ignored if an invalid index exists', 'create index concurrently if not exists a on orders (id);'],
  ])('is rejected where the statements %s', async ([_reason, sql], { trial: { addFile, run } }) => {
    await addFile(['0002-index.sql', `-- without transaction\n${sql}`])
    await expect(run()).rejects.toThrow('should be one "create index concurrently name on table …;"')
  })
})

describe('a database of another program', () => {
  it('that is newer stays as it is, so that the release before can be started again', async ({
    trial: { addFile, appliedNames, removeFile, run },
  }) => {
    await addFile(['0002-later.sql', 'create table later (id int);'])
    await run()
    await removeFile('0002-later.sql')
    expect(await run()).toEqual({ applied: [], version: 2, newer: ['0002-later.sql'] })
    expect(await appliedNames()).toEqual([TABLE[0], '0002-later.sql'])
  })

  it('with another migration under a number is rejected', async ({ trial: { addFile, removeFile, run } }) => {
    await removeFile(TABLE[0])
    await addFile(['0001-banks.sql', 'create table banks (id int);'])
    await expect(run()).rejects.toThrow('its migration 1 is 0001-orders.sql, that of this program is 0001-banks.sql')
  })
})

it('on a server that is too old applies nothing, and says what to do', async ({
  trial: { addFile, appliedNames, run },
}) => {
  await addFile(COLUMN)
  const older = { query: async () => ({ rows: [{ number: 140_011, version: '14.11' }] }) }
  await expect(run({ pool: older as never })).rejects.toThrow(
    'The server is PostgreSQL 14.11, and Havn needs 15 or newer. Upgrade the server with pg_upgrade',
  )
  expect(await appliedNames()).toEqual([TABLE[0]])
})
