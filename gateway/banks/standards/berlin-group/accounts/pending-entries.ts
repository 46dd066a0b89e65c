/** Buffers pending entries until all booked ones are read, and removes those that were booked in the meantime. */
import type { BankEntry } from '../../../connector/bank-account.ts'
import { UnreadableAnswerError } from '../../../connector/bank-error.ts'
import type { EntryOrigin } from './translate-entries.ts'

/** Some days of card payments of a busy company. */
const PENDING_HELD_MAX = 10_000
/** Only recent booked entries are compared, by key and date: entries do not stay pending for longer. */
const PENDS_FOR_DAYS_MAX = 60
const BOOKED_KNOWN_MAX = 100_000
/** For entries without a date: later than every date, because they may still be pending. */
const NO_DAY = '9999-12-31'

/** Receives all listed entries and returns the remaining pending ones at the end. */
export type PendingEntries = {
  note(entries: readonly BankEntry[]): void
  left(): readonly BankEntry[]
}

/** Creates it for a list that ends on a day. */
export function createPendingEntries(origin: Pick<EntryOrigin, 'lastingId'>, to: Temporal.PlainDate): PendingEntries {
  const since = to.subtract({ days: PENDS_FOR_DAYS_MAX }).toString()
  const pending = new Set<BankEntry>()
  const repeatable = new Set<string>()
  const bookedDaysByKey = new Map<string, string[]>()
  let bookedKnown = 0
  const notePending = (entry: BankEntry) => {
    const content = contentOf(entry)
    if (content !== null && repeatable.has(content)) {
      return
    }
    pending.add(entry)
    if (content !== null) {
      repeatable.add(content)
    }
    if (pending.size > PENDING_HELD_MAX) {
      throw new UnreadableAnswerError('unavailable', `The bank lists more than ${PENDING_HELD_MAX} pending entries`)
    }
  }
  const noteBooked = (entry: BankEntry) => {
    const key = keyOf(entry)
    const day = lastDayOf(entry)
    if (key !== null && day >= since && bookedKnown < BOOKED_KNOWN_MAX) {
      bookedKnown += 1
      const days = bookedDaysByKey.get(key)
      if (days === undefined) {
        bookedDaysByKey.set(key, [day])
      } else {
        days.push(day)
      }
    }
  }
  return {
    note: (entries) =>
      entries.forEach((entry) => {
        if (entry.status === 'pending') {
          notePending(entry)
        } else {
          noteBooked(entry)
        }
      }),
    left: () => {
      const booked = matchBookedEntries(pending, bookedDaysByKey, origin.lastingId === 'endToEndId')
      return [...pending].filter((entry) => !booked.has(entry))
    },
  }
}

/**
 * Pending entries that are booked: one for each booked entry with the same key. End-to-end ids may be reused, so such a
 * booked entry only matches entries that became pending before it; the bank's own id is unique.
 */
function matchBookedEntries(
  pending: ReadonlySet<BankEntry>,
  bookedDaysByKey: ReadonlyMap<string, readonly string[]>,
  isNamedByPayers: boolean,
): ReadonlySet<BankEntry> {
  const pendingByKey = Map.groupBy(pending, keyOf)
  const booked = new Set<BankEntry>()
  for (const [key, days] of bookedDaysByKey) {
    const oldestFirst = (pendingByKey.get(key) ?? []).toSorted((one, other) =>
      firstDayOf(one).localeCompare(firstDayOf(other)),
    )
    // Earliest first: a pending entry that matches an earlier booked one also matches later ones.
    for (const day of days.toSorted()) {
      const match = oldestFirst.findIndex((entry) => !isNamedByPayers || mayBeBookedOn(entry, day))
      for (const found of match < 0 ? [] : oldestFirst.splice(match, 1)) {
        booked.add(found)
      }
    }
  }
  return booked
}

function mayBeBookedOn(pending: BankEntry, day: string): boolean {
  const first = firstDayOf(pending)
  return first === NO_DAY || first <= day
}

function keyOf({ lastingId, transactionId }: BankEntry): string | null {
  return lastingId ?? transactionId
}

/** Banks that repeat pending entries on every page repeat them unchanged; different ones without an id may be equal. */
function contentOf(entry: BankEntry): string | null {
  return entry.transactionId === null
    ? null
    : JSON.stringify(entry, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

/** Its earliest date: some banks report when it became pending, most only when it is expected. */
function firstDayOf(entry: BankEntry): string {
  return daysOf(entry)[0] ?? NO_DAY
}

/** Its latest date: banks may book before the value date. */
function lastDayOf(entry: BankEntry): string {
  return daysOf(entry).at(-1) ?? NO_DAY
}

function daysOf({ bookedOn, valueOn }: BankEntry): readonly string[] {
  return [bookedOn, valueOn].flatMap((day) => day?.toString() ?? []).toSorted()
}
