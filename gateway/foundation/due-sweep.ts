/** Makes the sweep over rows that wait for a time: finds the due ones, claims them under a lease, sees to each. */
import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { Sweep } from './sweeps.ts'

/** Which rows wait: an indexed column holds the time, `lease_until` keeps other workers away. */
export type DueRows = {
  readonly name: string
  readonly table: string
  readonly column: string
  readonly time: Sweep['time']
  /** Longer than seeing to one row may take, in wall time. */
  readonly leaseSeconds: number
}

/** What identifies a row of a partner. */
export type RowKey = { readonly partnerId: string; readonly id: string }

type Surroundings = { readonly database: Database<unknown>; readonly clock: Clock }

/** Sees to due rows side by side. Whoever sees to a row must move its time on; else it comes again after the lease. */
export function dueSweep(surroundings: Surroundings, rows: DueRows, seeTo: (key: RowKey) => Promise<void>): Sweep {
  return {
    name: rows.name,
    time: rows.time,
    nextDue: () => nextDue(surroundings, rows),
    run: async (limit) => {
      const keys = await claim(surroundings, rows, limit)
      const outcomes = await Promise.allSettled(keys.map(seeTo))
      const failed = outcomes.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') {
        throw failed.reason
      }
      return keys.length
    },
  }
}

async function nextDue({ database }: Surroundings, { table, column }: DueRows): Promise<Temporal.Instant | null> {
  const due = sql.ref(column)
  const { rows } = await sql<{ dueAt: Temporal.Instant }>`
    select ${due} as "dueAt" from ${sql.table(table)} where ${due} is not null order by ${due} limit 1`.execute(
    database.query,
  )
  return rows[0]?.dueAt ?? null
}

async function claim({ database, clock }: Surroundings, rows: DueRows, limit: number): Promise<readonly RowKey[]> {
  const real = clock.real()
  const dueBefore = rows.time === 'business' ? clock.now() : real
  const leaseUntil = real.add({ seconds: rows.leaseSeconds })
  const [table, due] = [sql.table(rows.table), sql.ref(rows.column)]
  const claimed = await sql<RowKey>`
    update ${table} set lease_until = ${leaseUntil.toString()}
    where (partner_id, id) in (
      select partner_id, id from ${table}
      where ${due} <= ${dueBefore.toString()} and (lease_until is null or lease_until < ${real.toString()})
      order by ${due} limit ${limit} for update skip locked)
    returning partner_id as "partnerId", id`.execute(database.query)
  return claimed.rows
}
