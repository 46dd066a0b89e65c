/** Words what was measured of following payments beside the bars. */

import { verdict } from '../figures.ts'
import type { Picks, PollerPlan } from './due-row-scan.ts'
import type { Following } from './status-latency.ts'

const P95_MAX_SECONDS = 3
const PICK_MAX_MILLISECONDS = 50

/** From the bank's word to our record and event, and what it cost in calls. */
export function followingLines(
  when: string,
  { p50Seconds, p95Seconds, callsPerPayment }: Following,
): readonly string[] {
  return [
    `From the bank's word to our event after signing, ${when}:`,
    `  p50 ${p50Seconds.toFixed(2)} s, p95 ${p95Seconds.toFixed(2)} s (bar: at most ${P95_MAX_SECONDS} s) ${verdict(p95Seconds <= P95_MAX_SECONDS)}`,
    `  calls to the bank per payment  ${callsPerPayment.toFixed(1)}`,
  ]
}

/** How quickly a worker finds what is due. */
export function pollerLines({ openPayments }: PollerPlan, picks: Picks): readonly string[] {
  const line = (milliseconds: number) =>
    `${milliseconds.toFixed(1)} ms (bar: at most ${PICK_MAX_MILLISECONDS} ms) ${verdict(milliseconds <= PICK_MAX_MILLISECONDS)}`
  return [
    `A batch of 1000 picked among ${openPayments} open payments: ${line(picks.milliseconds)}`,
    `  while one bank's share is full: ${line(picks.besideHeldUpMilliseconds)}`,
  ]
}
