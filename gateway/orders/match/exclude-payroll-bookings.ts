/** Excludes entries that may belong to payrolls from the matching of payments: the contents of payrolls are sealed. */
import type { BankEntry, BookedEntry } from '../../banks/connector/bank-account.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DebtorAccountNumbers } from '../store/match-candidate-store.ts'
import { type DateRange, listPayrollBookingDays } from '../store/payroll-booking-days-store.ts'
import type { MatchCriteria } from './match-criteria.ts'

/** Returns the entries without those of possible payroll booking days, unless they name the endToEndId of a payment. */
export async function excludePayrollBookings<Entry extends BookedEntry | BankEntry>(
  database: Database<unknown>,
  account: DebtorAccountNumbers,
  entries: readonly Entry[],
  payments: readonly Pick<MatchCriteria, 'bankEndToEndId' | 'endToEndId'>[],
): Promise<readonly Entry[]> {
  const days = entries.flatMap((entry) => dayOf(entry) ?? []).toSorted(Temporal.PlainDate.compare)
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined || payments.length === 0) {
    return entries
  }
  const salaries = await listPayrollBookingDays(database, account, { from, to })
  const mayBeSalary = (entry: Entry) => salaries.some((run) => isWithin(dayOf(entry), run))
  const ids = new Set(payments.flatMap(({ bankEndToEndId, endToEndId }) => [bankEndToEndId, endToEndId]))
  return entries.filter((entry) => !mayBeSalary(entry) || (entry.endToEndId !== null && ids.has(entry.endToEndId)))
}

/** Pending entries have only the booking date that the bank expects. */
function dayOf(entry: BookedEntry | BankEntry): Temporal.PlainDate | null {
  return entry.bookedOn ?? ('valueOn' in entry ? entry.valueOn : null)
}

function isWithin(day: Temporal.PlainDate | null, { from, to }: DateRange): boolean {
  return day === null || (Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0)
}
