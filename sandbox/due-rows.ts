/** Finds and processes due rows of a sandbox program; a failing one is set aside and stops neither other rows nor the clock. */
import { sql } from 'kysely'
import { isDatabaseUnavailable } from '../gateway/platform/database/database-unavailable.ts'
import { executePrepared } from '../gateway/platform/database/in-transaction.ts'
import { RETRY_SECONDS_MAX, retryDelayOf } from '../gateway/platform/jobs/retry-backoff.ts'
import type { Log } from '../gateway/platform/observability/log.ts'

/** A sweep of a program, in business time. */
export type Sweep = {
  /** Executes everything that is due now; returns the next due time, null when nothing is scheduled. */
  runUntilIdle(): Promise<Temporal.Instant | null>
  /** Runs a function while the sweep is paused. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
  /** The next due time; null when nothing is scheduled. */
  nextDueAt(): Promise<Temporal.Instant | null>
  stop(): Promise<void>
}

export type DueRow<Kind extends string = string> = RowName<Kind> & { readonly due_at: Temporal.Instant }

/** A table with due rows; those that are due at once are processed in the order of the columns in `order`. */
export type DueTable<Kind extends string> = {
  readonly kind: Kind
  readonly table: string
  readonly id?: string
  readonly order?: readonly string[]
}

type RowName<Kind extends string = string> = { readonly kind: Kind; readonly id: string }
type Failure = RowName & { readonly failures: number; readonly retryAt: Temporal.Instant }

/** The rows that have failed since the program started: a restart tries them again at once. */
export type FailingRows = {
  /**
   * Processes a row. When that fails, the row is set aside; the first failure is logged. Throws only when the database
   * is unavailable, which is no row's fault.
   */
  attempt(row: RowName, process: () => Promise<unknown>): Promise<void>
  /** The ids of a kind that are not to be tried now. */
  setAside(kind: string): readonly string[]
  /** The earlier one of a due time and the time at which the next one is to be tried again; null when both are none. */
  earliestWith(dueAt: Temporal.Instant | null): Temporal.Instant | null
}

/** The row of these tables with the earliest due time that is not set aside. */
export async function findNextDueRow<Kind extends string>(
  database: Parameters<typeof executePrepared>[0],
  tables: readonly DueTable<Kind>[],
  failing: FailingRows,
): Promise<DueRow<Kind> | undefined> {
  const firstOf = tables.map(({ kind, table, id = 'id', order = [] }) => {
    const column = sql.ref(id)
    return sql`(select ${sql.lit(kind)} as kind, ${column} as id, due_at from ${sql.table(table)}
      where due_at is not null and ${column}::text <> all(${failing.setAside(kind)}::text[])
      order by ${sql.join(['due_at', ...order].map((name) => sql.ref(name)))} limit 1)`
  })
  const statement = sql<DueRow<Kind>>`
    select * from (${sql.join(firstOf, sql` union all `)}) as due order by due_at limit 1`
  return (await executePrepared(database, statement)).rows[0]
}

/**
 * Processes the rows that are due by `until` one after the other, and returns the first one that is due later. A row
 * whose step leaves it due at the same time counts as failing: it would be found for ever.
 */
export async function processDueRows<Row extends DueRow>(
  failing: FailingRows,
  until: Temporal.Instant,
  findNext: () => Promise<Row | undefined>,
  process: (row: Row) => Promise<unknown>,
): Promise<Row | undefined> {
  let previous: Row | undefined
  let row = await findNext()
  while (row !== undefined && Temporal.Instant.compare(row.due_at, until) <= 0) {
    const found = row
    const isUnchanged = previous !== undefined && isSameStep(previous, found)
    await failing.attempt(found, () =>
      isUnchanged ? Promise.reject(new Error('The step of a due row left it due')) : process(found),
    )
    previous = found
    row = await findNext()
  }
  return row
}

function isSameStep(one: DueRow, other: DueRow): boolean {
  return one.kind === other.kind && one.id === other.id && one.due_at.equals(other.due_at)
}

/** `now` reads the clock of the rows' due times. */
export function openFailingRows(log: Log, now: () => Temporal.Instant): FailingRows {
  const failing = new Map<string, Failure>()
  const allSetAside = () => [...failing.values()].filter(({ retryAt }) => isAhead(retryAt, now()))
  return {
    attempt: async (row, process) => {
      try {
        await process()
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          throw error
        }
        const key = `${row.kind} ${row.id}`
        const failures = (failing.get(key)?.failures ?? 0) + 1
        failing.set(key, { ...row, failures, retryAt: now().add(retryDelayOf(failures)) })
        if (failures === 1) {
          log.error({ kind: row.kind, id: row.id, error }, 'a due row failed; it is retried with growing delays')
        }
      }
    },
    setAside: (kind) => allSetAside().flatMap((row) => (row.kind === kind ? [row.id] : [])),
    earliestWith: (dueAt) => {
      const times = [...allSetAside().map(({ retryAt }) => retryAt), ...(dueAt === null ? [] : [dueAt])]
      return times.toSorted(Temporal.Instant.compare)[0] ?? null
    },
  }
}

/** A time that is too far ahead was computed before the clock was set back. */
function isAhead(retryAt: Temporal.Instant, now: Temporal.Instant): boolean {
  const seconds = retryAt.since(now).total('seconds')
  return seconds > 0 && seconds <= RETRY_SECONDS_MAX
}
