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
  /** A column by whose value rows share the places under way, so that a slow bank leaves places to the others. */
  readonly share: string
}

/** Of one share so many rows may be under way in a process before no more of it are claimed. */
const UNDER_WAY_PER_SHARE_MAX = 50

/** What identifies a row of a partner. */
export type RowKey = { readonly partnerId: string; readonly id: string }

type ClaimedRow = RowKey & { readonly share: string }
type Surroundings = { readonly database: Database<unknown>; readonly clock: Clock }

/** Sees to due rows side by side. Whoever sees to a row must move its time on; else it comes again after the lease. */
export function dueSweep(surroundings: Surroundings, rows: DueRows, seeTo: (key: RowKey) => Promise<void>): Sweep {
  const underWayByShare = new Map<string, number>()
  const count = (share: string, change: 1 | -1) =>
    underWayByShare.set(share, (underWayByShare.get(share) ?? 0) + change)
  return {
    name: rows.name,
    time: rows.time,
    nextDue: () => nextDue(surroundings, rows),
    recall: () => recall(surroundings, rows),
    run: async (limit) => {
      const full = [...underWayByShare]
        .filter(([, places]) => places >= UNDER_WAY_PER_SHARE_MAX)
        .map(([share]) => share)
      const claimed = await claim(surroundings, rows, limit, full)
      const outcomes = await Promise.allSettled(
        claimed.map(({ share, ...key }) => {
          count(share, 1)
          return seeTo(key).finally(() => count(share, -1))
        }),
      )
      const failed = outcomes.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') {
        throw failed.reason
      }
      return claimed.length
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

async function recall({ database, clock }: Surroundings, { table, column }: DueRows): Promise<void> {
  const [due, now] = [sql.ref(column), clock.now().toString()]
  await sql`update ${sql.table(table)} set ${due} = ${now} where ${due} > ${now}`.execute(database.query)
}

async function claim(
  { database, clock }: Surroundings,
  rows: DueRows,
  limit: number,
  fullShares: readonly string[],
): Promise<readonly ClaimedRow[]> {
  const real = clock.real()
  const dueBefore = rows.time === 'business' ? clock.now() : real
  const leaseUntil = real.add({ seconds: rows.leaseSeconds })
  const [table, due, share] = [sql.table(rows.table), sql.ref(rows.column), sql.ref(rows.share)]
  const claimed = await sql<ClaimedRow>`
    update ${table} set lease_until = ${leaseUntil.toString()}
    where (partner_id, id) in (
      select partner_id, id from ${table}
      where ${due} <= ${dueBefore.toString()} and (lease_until is null or lease_until < ${real.toString()})
        and ${share} <> all(${[...fullShares]}::text[])
      order by ${due} limit ${limit} for update skip locked)
    returning partner_id as "partnerId", id, ${share} as share`.execute(database.query)
  return claimed.rows
}
