/** Derives a bank's health from its consecutive failed calls. */

import type { BankStatus } from '../connector/bank.ts'
import type { BankCall } from '../transport/bank-http-client.ts'
import type { BankRow, Circuit, PauseRule } from './bank-store.ts'

/** Consecutive failures of a bank; wall time. */
export type BankHealth = {
  readonly failures: number
  readonly failingSince: Temporal.Instant | null
  readonly pausedUntil: Temporal.Instant | null
  /** Initiations are counted apart from all other calls. */
  readonly orderFailures: number
  readonly ordersFailingSince: Temporal.Instant | null
}

/** Any answer of the bank, errors included, or none. */
export type CallOutcome = 'answered' | 'failed'

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

/** The health that is stored in a directory row. */
export function healthFromRow(row: BankRow): BankHealth {
  return {
    failures: row.failures,
    failingSince: row.failing_since,
    pausedUntil: row.paused_until,
    orderFailures: row.order_failures,
    ordersFailingSince: row.orders_failing_since,
  }
}

/** The status that partners see. */
export function bankStatusOf(health: BankHealth, now: Temporal.Instant): BankStatus {
  const { failures, failingSince, orderFailures, ordersFailingSince } = health
  const statuses = [statusAfter(failures, failingSince, now), statusAfter(orderFailures, ordersFailingSince, now)]
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? 'Operational'
}

const WORST_FIRST: readonly BankStatus[] = ['Down', 'Degraded']

function statusAfter(failures: number, since: Temporal.Instant | null, now: Temporal.Instant): BankStatus {
  if (failures <= FAILURES_TOLERATED || since === null) {
    return 'Operational'
  }
  return now.since(since).total('seconds') >= DOWN_AFTER_SECONDS ? 'Down' : 'Degraded'
}

/** Whether background jobs should not call the bank now. */
export function isPausedAt({ pausedUntil }: BankHealth, now: Temporal.Instant): boolean {
  return pausedUntil !== null && Temporal.Instant.compare(now, pausedUntil) < 0
}

const ORDERS: ReadonlySet<string> = new Set(['initiatePayment', 'initiateBulkPayment'])

/** Which failures a call counts among, by its operation. */
export function circuitOf(operation: string): Circuit {
  return ORDERS.has(operation) ? 'orders' : 'others'
}

/** Rejections by the bank count as answers; server errors, throttling and timeouts count as failures. */
export function outcomeOfCall(call: BankCall): CallOutcome {
  const failed = 'error' in call || call.status >= 500 || call.status === 408 || call.status === 429
  return failed ? 'failed' : 'answered'
}
