/** Tests sleeping sweeps: no statements while nothing is due, and due rows are processed at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { composeSweeps } from '../../../launcher/roles/compose-sweeps.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/fresh-database.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { startTestGateway } from '../../testing/gateway/test-gateway.ts'
import { movableClock } from '../clock.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { newId } from '../ids.ts'
import { openLog } from '../observability/log.ts'
import { openMetrics } from '../observability/metrics.ts'
import { createDueNotifier, listenForDue, notifyDue } from './due-row-notification.ts'
import { dueRowSweep } from './due-row-sweep.ts'
import { startDueTimeWatcher } from './due-time-watcher.ts'
import type { Sweep } from './sweep.ts'
import { startSweeps } from './sweep-runner.ts'

const NEVER_MILLISECONDS = 1_000_000_000
const IDLE_LOOK_MILLISECONDS_MIN = 1_000
const rows = {
  name: 'test',
  table: 'waiting',
  column: 'due_at',
  partition: 'bic',
  time: 'business',
  leaseSeconds: 60,
} as const
const clock = movableClock()
const log = openLog({ program: 'test', level: 'silent' })
const metrics = openMetrics({ processMetrics: false })

let fresh: FreshDatabase
let database: Database<unknown>
beforeAll(async () => {
  fresh = await freshDatabase()
  const { connectionString } = fresh
  database = openDatabase<unknown>({ connectionString, applicationName: 'test', connectionsMax: 4 })
  await database.pool.query(
    'create table waiting (partner_id uuid, id uuid, bic text, due_at timestamptz, lease_until timestamptz)',
  )
})
afterAll(async () => {
  await database.close()
  await fresh.drop()
})
beforeEach(() => database.pool.query('truncate waiting'))

async function wait(dueAt: Temporal.Instant): Promise<void> {
  await database.pool.query('insert into waiting values ($1, $2, $3, $4)', [newId(), newId(), 'BANK', dueAt.toString()])
}

/** Starts sweeps over the table that only the watcher wakes, and counts their rounds and the watcher's reads. */
function startWatched(count: number) {
  const counts = { rounds: 0, reads: 0, seen: 0 }
  const sweepOf = (number: number): Sweep => {
    const sweep = dueRowSweep(
      { database, clock, log, metrics: openMetrics({ processMetrics: false }), trace: null },
      { ...rows, name: `test ${number}` },
      async ({ id }) => {
        counts.seen += 1
        await database.pool.query('update waiting set due_at = null, lease_until = null where id = $1', [id])
      },
    )
    const begin = (limit: number) => {
      counts.rounds += 1
      return sweep.begin(limit)
    }
    return { ...sweep, begin }
  }
  const sweeps = Array.from({ length: count }, (_, number) => sweepOf(number))
  const dueTimeWatcher = startDueTimeWatcher(sweeps, {
    database,
    clock,
    log,
    metrics,
    beforeRead: async () => {
      counts.reads += 1
    },
    everyMilliseconds: () => NEVER_MILLISECONDS,
  })
  return {
    counts,
    dueTimeWatcher,
    running: startSweeps(sweeps, { database, clock, log, metrics, trace: null }, { dueTimeWatcher }),
  }
}

describe('sweeps that sleep until rows are due', () => {
  it('read due times together, and run no round until a row is due', async () => {
    const { counts, dueTimeWatcher, running } = startWatched(20)
    await wait(clock.now().add({ hours: 1 }))
    await eventually(() => expect(counts.rounds).toBe(20))
    for (let reads = counts.reads; reads < 4; reads = counts.reads) {
      dueTimeWatcher.requestRead()
      await eventually(() => expect(counts.reads).toBeGreaterThan(reads))
    }
    expect(counts).toMatchObject({ rounds: 20, seen: 0 })
    clock.setOffset(2 * 3_600_000)
    dueTimeWatcher.requestRead()
    await eventually(() => expect(counts.seen).toBe(1))
    clock.setOffset(0)
    await running.stop()
  })

  it('process a row at the time that was read, without a further read', async () => {
    await wait(clock.now().add({ milliseconds: 300 }))
    const { counts, running } = startWatched(1)
    await eventually(() => expect(counts.seen).toBe(1))
    await running.stop()
  })

  it('stop at once while they sleep', async () => {
    const { counts, running } = startWatched(3)
    await eventually(() => expect(counts.reads).toBeGreaterThan(0))
    await running.stop()
  })
})

describe('an idle worker', () => {
  it('polls with one statement for all sweeps, and in addition at most once a second for each of the others', async () => {
    const gateway = await startTestGateway()
    const { context } = gateway
    const sweeps = composeSweeps(context)
    let reads = 0
    const dueTimeWatcher = startDueTimeWatcher(sweeps, {
      ...context,
      beforeRead: async () => {
        reads += 1
      },
      everyMilliseconds: () => NEVER_MILLISECONDS,
    })
    const impatient = sweeps.filter(
      (sweep) => !dueTimeWatcher.watches(sweep) && (sweep.everyMilliseconds ?? 0) < IDLE_LOOK_MILLISECONDS_MIN,
    )
    expect(impatient.map(({ name }) => name)).toEqual([])
    await eventually(() => expect(reads).toBe(1))
    dueTimeWatcher.requestRead()
    await eventually(() => expect(reads).toBe(2))
    const { values } = await context.metrics.sweepFailures.get()
    expect(values.filter(({ labels }) => labels.sweep === 'due times')).toEqual([])
    dueTimeWatcher.close()
    await gateway.close()
  })
})

describe('notifications of due rows', () => {
  it('arrive, many of a moment as few, and the listener knows that it receives them', async () => {
    let heard = 0
    const { connectionString } = fresh
    const listener = listenForDue({ connectionString, poolMode: 'detect', pool: database.pool, log }, () => {
      heard += 1
    })
    await eventually(() => expect(listener.isHeard()).toBe(true))
    const before = heard
    const notify = createDueNotifier(database, log)
    for (let number = 0; number < 1_000; number += 1) {
      notify()
    }
    await eventually(() => expect(heard).toBe(before + 2))
    await notifyDue(database)
    await eventually(() => expect(heard).toBe(before + 3))
    await listener.close()
  })

  it('go to a new connection when the listening one has ended', async () => {
    const role = `listener_${newId().replaceAll('-', '')}`
    await database.pool.query(`create role ${role} login password 'listener'`)
    const url = new URL(fresh.connectionString)
    ;[url.username, url.password] = [role, 'listener']
    const settings = { connectionString: url.href, poolMode: 'detect', reconnectMilliseconds: 50 } as const
    const listener = listenForDue({ ...settings, pool: database.pool, log }, () => undefined)
    await eventually(() => expect(listener.isHeard()).toBe(true))
    // Connecting fails meanwhile.
    await database.pool.query(`alter role ${role} nologin`)
    await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role])
    await eventually(() => expect(listener.isHeard()).toBe(false))
    await database.pool.query(`alter role ${role} login`)
    await eventually(() => expect(listener.isHeard()).toBe(true))
    await listener.close()
    await database.pool.query(`drop role ${role}`)
  })
})
