/** Derives a bank's health from its consecutive failed calls. */

import type { BankStatus } from '../connector/bank.ts'
import type { BankCall } from '../transport/bank-http-client.ts'
import type { BankHealth, Circuit, PauseRule } from './bank-store.ts'

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

/** The status that partners see. */
export function bankStatusOf(health: BankHealth, now: Temporal.Instant): BankStatus {
  const statuses = [
    statusAfter(health.failures, health.failing_since, now),
    statusAfter(health.order_failures, health.orders_failing_since, now),
  ]
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
export function isPausedAt({ paused_until }: BankHealth, now: Temporal.Instant): boolean {
  return paused_until !== null && Temporal.Instant.compare(now, paused_until) < 0
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
