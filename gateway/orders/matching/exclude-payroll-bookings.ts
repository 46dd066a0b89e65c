/** Keeps entries that may be salaries from being taken for payments: payrolls are sealed, and not looked through for each. */
import type { BankEntry, BookedEntry } from '../../banks/connector/bank-account.ts'
import type { Sought } from '../../payments/sought-payment.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Account } from './match-candidate-store.ts'
import { type Days, listSalaryDays } from './payroll-booking-days-store.ts'

/** Without those of a day on which a payroll may be booked that no payment is named by. An entry is judged by `bookedOn`. */
export async function besideSalaries<Entry extends BookedEntry | BankEntry>(
  database: Database<unknown>,
  account: Account,
  entries: readonly Entry[],
  payments: readonly Pick<Sought, 'sentId' | 'endToEndId'>[],
): Promise<readonly Entry[]> {
  const days = entries.flatMap((entry) => dayOf(entry) ?? []).toSorted(Temporal.PlainDate.compare)
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined || payments.length === 0) {
    return entries
  }
  const salaries = await listSalaryDays(database, account, { from, to })
  const mayBeSalary = (entry: Entry) => salaries.some((run) => isWithin(dayOf(entry), run))
  const ids = new Set(payments.flatMap(({ sentId, endToEndId }) => [sentId, endToEndId]))
  return entries.filter((entry) => !mayBeSalary(entry) || (entry.endToEndId !== null && ids.has(entry.endToEndId)))
}

/** Pending entries tell the day that the bank expects. */
function dayOf(entry: BookedEntry | BankEntry): Temporal.PlainDate | null {
  return entry.bookedOn ?? ('valueOn' in entry ? entry.valueOn : null)
}

function isWithin(day: Temporal.PlainDate | null, { from, to }: Days): boolean {
  return day === null || (Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0)
}
