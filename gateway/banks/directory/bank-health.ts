/** Derives a bank's health from its consecutive failed calls. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { BankStatus } from '../connector/bank.ts'
import { type BankHealth, type BankRow, type PauseRule, selectBanks } from './bank-store.ts'

/** Sporadic failures are normal at any bank. */
const FAILURES_TOLERATED = 2
/** After this long partners see the bank as down. */
const DOWN_AFTER_SECONDS = 60

/** 3 failures in a row of different things pause the bank for 5 seconds; each further one doubles the pause, up to 5 minutes. */
export const PAUSE_RULE: PauseRule = {
  failuresBefore: FAILURES_TOLERATED + 1,
  firstSeconds: 5,
  longestSeconds: 300,
}

/** The status that partners see. */
export function bankStatusOf(health: BankHealth, now: Temporal.Instant): BankStatus {
  const statuses = [
    statusAfter(health.failures, health.failing_since, now),
    statusAfter(health.order_failures, health.orders_failing_since, now),
  ]
  return (['Down', 'Degraded'] as const).find((worst) => statuses.includes(worst)) ?? 'Operational'
}

function statusAfter(failures: number, since: Temporal.Instant | null, now: Temporal.Instant): BankStatus {
  if (failures <= FAILURES_TOLERATED || since === null) {
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
