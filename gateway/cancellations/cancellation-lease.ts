/** Says for how long nobody else asks the bank while somebody does. */
import { callSecondsMax } from '../banks/transport/call-seconds-max.ts'
import type { Context } from '../context.ts'

/**
 * An approval that is open is read and told, a basket untied, the order withdrawn, the signing of that begun, and the
 * order read in the end.
 */
const CALLS_MAX = 8
/** What our own statements may add to the bank's time. */
const OWN_SECONDS = 30

/** Longer than asking may take. */
export function leaseSeconds({ config }: Pick<Context, 'config'>): number {
  return CALLS_MAX * callSecondsMax(config) + OWN_SECONDS
}

/** Wall time until when whoever begins now is left alone. */
export function leaseUntil(context: Pick<Context, 'config' | 'clock'>): Temporal.Instant {
  return context.clock.real().add({ seconds: leaseSeconds(context) })
}
