/** Sets failing rows of a sandbox program aside with a growing delay: they stop neither other rows nor the clock. */
import { isDatabaseUnavailable } from '../gateway/platform/database/database-unavailable.ts'
import { RETRY_SECONDS_MAX, retryDelayOf } from '../gateway/platform/jobs/retry-backoff.ts'
import type { Log } from '../gateway/platform/observability/log.ts'

export type DueRow = RowName & { readonly due_at: Temporal.Instant }

type RowName = { readonly kind: string; readonly id: string }
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
