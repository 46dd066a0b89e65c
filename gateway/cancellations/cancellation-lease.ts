/** Computes the lease that prevents concurrent cancellation requests to the bank. */
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'

/**
 * Polling and ending an open approval, deleting its basket, cancelling the order, starting the SCA of that, and polling the
 * order at the end.
 */
const CALLS_MAX = 8
/** Margin for our own database statements. */
const OWN_SECONDS = 30

/** Longer than all calls together may take. */
export function leaseSeconds({ config }: Context): number {
  return CALLS_MAX * callSecondsMax(config) + OWN_SECONDS
}

/** The end of a lease that starts now, in wall time. */
export function leaseUntil(context: Context): Temporal.Instant {
  return context.clock.real().add({ seconds: leaseSeconds(context) })
}
