/** Judges a bank's health from the calls that failed in a row. */

import type { BankCall } from '../transport/bank-http-client.ts'
import type { BankStatus } from './bank.ts'
import type { BankRow, PauseRule } from './bank-store.ts'

/** What is remembered of a bank's failures; wall time. */
export type BankHealth = {
  readonly failures: number
  readonly failingSince: Temporal.Instant | null
  readonly pausedUntil: Temporal.Instant | null
  /** The same of initiations alone, which the others do not count. */
  readonly orderFailures: number
  readonly ordersFailingSince: Temporal.Instant | null
}

/** Whether a bank gave an answer, whatever it was, or failed to. */
export type CallOutcome = 'answered' | 'failed'

/** Failures that happen to any bank now and then. */
const FAILURES_OVERLOOKED = 2
/** From here on it is no hiccup: partners are told that the bank is down. */
const DOWN_AFTER_SECONDS = 60

/** After 3 failures in a row 5 seconds of peace, then twice as long each time, 5 minutes at most. */
export const PAUSE_RULE: PauseRule = {
  failuresBefore: FAILURES_OVERLOOKED + 1,
  firstSeconds: 5,
  longestSeconds: 300,
}

/** What a row of the directory holds of it. */
export function healthIn(row: BankRow): BankHealth {
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
  if (failures <= FAILURES_OVERLOOKED || since === null) {
    return 'Operational'
  }
  return now.since(since).total('seconds') >= DOWN_AFTER_SECONDS ? 'Down' : 'Degraded'
}

/** Whether the bank is to be left alone by whoever can wait. */
export function isPausedAt({ pausedUntil }: BankHealth, now: Temporal.Instant): boolean {
  return pausedUntil !== null && Temporal.Instant.compare(now, pausedUntil) < 0
}

/** What a call says of the bank: its refusals are answers, its faults and silences are failures. */
export function outcomeOfCall(call: BankCall): CallOutcome {
  const failed = 'error' in call || call.status >= 500 || call.status === 408 || call.status === 429
  return failed ? 'failed' : 'answered'
}
