/** Holds pending entries until the booked ones are known, and leaves out those that were booked meanwhile. */
import type { BankEntry } from '../../../connector/bank-account.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { EntryOrigin } from './translate-entries.ts'

/** Some days of a busy company's cards. */
const PENDING_HELD_MAX = 10_000
/** Keys and days are all that is kept of booked ones, and of recent ones only: nothing pends for longer. */
const PENDS_FOR_DAYS_MAX = 60
const BOOKED_KNOWN_MAX = 100_000
/** Behind every day: of what has none it is not known that it is over. */
const NO_DAY = '9999-12-31'

/** Takes all entries as they are listed, and tells in the end which pending ones are left. */
export type OpenPending = {
  note(entries: readonly BankEntry[]): void
  left(): readonly BankEntry[]
}

/** Opens it for a list that ends on a day. */
export function openPending(origin: Pick<EntryOrigin, 'lastingId'>, to: Temporal.PlainDate): OpenPending {
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
      throw new BankRefusal('unavailable', `The bank lists more than ${PENDING_HELD_MAX} pending entries`)
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
      const booked = bookedAmong(pending, bookedDaysByKey, origin.lastingId === 'endToEndId')
      return [...pending].filter((entry) => !booked.has(entry))
    },
  }
}

/**
 * Pending entries that are booked: one for each booked one of the same key. What payers name may come again, so that
 * there no booked one stands for what became pending after its days; a bank's own id is enough by itself.
 */
function bookedAmong(
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
    // From the earliest on: what an earlier one may stand for, a later one may as well, so none is matched in vain.
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

/** Banks that list pending entries on every page list them there alike; those without an id may be alike by chance. */
function contentOf(entry: BankEntry): string | null {
  return entry.transactionId === null
    ? null
    : JSON.stringify(entry, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

/** The first of its days: some banks tell when it became pending, most only when it is expected. */
function firstDayOf(entry: BankEntry): string {
  return daysOf(entry)[0] ?? NO_DAY
}

/** The last of its days: banks book before the day of value, too. */
function lastDayOf(entry: BankEntry): string {
  return daysOf(entry).at(-1) ?? NO_DAY
}

function daysOf({ bookedOn, valueOn }: BankEntry): readonly string[] {
  return [bookedOn, valueOn].flatMap((day) => day?.toString() ?? []).toSorted()
}
