/** Derives a bank's health from its consecutive failed calls. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { BankStatus } from '../connector/bank.ts'
import { type BankHealth, type BankRow, FAILURES_BEFORE_PAUSE, selectBanks } from './bank-store.ts'

/** After this long partners see the bank as down. */
const DOWN_AFTER_SECONDS = 60

/** The status that partners see. */
export function bankStatusOf(health: BankHealth, now: Temporal.Instant): BankStatus {
  const statuses = [
    statusAfter(health.failures, health.failing_since, now),
    statusAfter(health.order_failures, health.orders_failing_since, now),
  ]
  return (['Down', 'Degraded'] as const).find((worst) => statuses.includes(worst)) ?? 'Operational'
}

function statusAfter(failures: number, since: Temporal.Instant | null, now: Temporal.Instant): BankStatus {
  if (failures < FAILURES_BEFORE_PAUSE || since === null) {
    return 'Operational'
  }
  return now.since(since).total('seconds') >= DOWN_AFTER_SECONDS ? 'Down' : 'Degraded'
}

/** Whether background jobs should not call the bank now. */
export function isPausedAt({ paused_until }: BankHealth, now: Temporal.Instant): boolean {
  return paused_until !== null && Temporal.Instant.compare(now, paused_until) < 0
}

export type ListedDirectoryEntry = { readonly row: BankRow; readonly status: BankStatus }

/** Every row of the directory sorted by BIC, including disabled ones, with the bank's status, for operators. */
export async function listDirectoryEntries(
  database: Database<unknown>,
  clock: Pick<Clock, 'real'>,
): Promise<readonly ListedDirectoryEntry[]> {
  const rows = await selectBanks(database)
  return rows.map((row) => ({ row, status: bankStatusOf(row, clock.real()) }))
}
