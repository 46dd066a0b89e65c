/** Decides when a payment is read at its bank again: seconds after signing, growing to hours, rarely once it is final. */
import type { PaymentStatusValue } from '../../contract/shapes.ts'
import { statusTable } from './payment.ts'

/** What the schedule looks at. */
export type Polled = {
  readonly status: PaymentStatusValue
  readonly signed: boolean
  /** How often it was read since anything happened. */
  readonly pollStep: number
  /** When the present status, a final one, was first reported. */
  readonly finalSince: Temporal.Instant | null
}

/** After signing, and whenever something has just happened. */
const SIGNED_SECONDS = [1, 1, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]
/** Unsigned orders may be signed or dropped in the netbank behind our back. */
const UNSIGNED_SECONDS = [60, 300, 900, 3600, 10_800]
/** Final is not final: banks take payments back. */
const FINAL_SECONDS = [3600, 14_400, 43_200, 86_400]
/** Ten bank days are at most this many days. */
const FINAL_WATCHED_DAYS = 16

/** The time of the next read, or null when nothing more is to be expected. */
export function nextPoll(polled: Polled, now: Temporal.Instant): Temporal.Instant | null {
  const { status, signed, pollStep, finalSince } = polled
  if (!statusTable[status].final) {
    // An order that waits for a further signature has been signed by somebody a moment ago.
    const isQuiet = statusTable[status].approve && !signed
    return now.add({ seconds: at(isQuiet ? UNSIGNED_SECONDS : SIGNED_SECONDS, pollStep) })
  }
  const watchedUntil = (finalSince ?? now).add({ hours: 24 * FINAL_WATCHED_DAYS })
  const next = now.add({ seconds: at(FINAL_SECONDS, pollStep) })
  return Temporal.Instant.compare(next, watchedUntil) > 0 ? null : next
}

function at(delays: readonly number[], step: number): number {
  return delays[Math.min(step, delays.length - 1)] ?? 0
}
