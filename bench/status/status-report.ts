/** Renders the status polling figures and their targets. */

import { barResult } from '../figures.ts'
import type { DueRowScanFigures, DueRowScanPlan } from './due-row-scan.ts'
import type { StatusLatency } from './status-latency.ts'

const P95_MAX_SECONDS = 3
const PICK_MAX_MILLISECONDS = 50
const CHANGE_MAX_MILLISECONDS = 0.5

/** From the bank's status change to our record and event, and the calls per payment. */
export function statusLatencyLines(
  when: string,
  { p50Seconds, p95Seconds, callsPerPayment }: StatusLatency,
): readonly string[] {
  return [
    `From the bank's status change to our event, after signing, ${when}:`,
    `  p50 ${p50Seconds.toFixed(2)} s, p95 ${p95Seconds.toFixed(2)} s (bar: at most ${P95_MAX_SECONDS} s) ${barResult(p95Seconds <= P95_MAX_SECONDS)}`,
    `  calls to the bank per payment  ${callsPerPayment.toFixed(1)}`,
  ]
}

/** How quickly a worker claims due rows. */
export function dueRowScanLines({ openPayments }: DueRowScanPlan, picks: DueRowScanFigures): readonly string[] {
  const line = (milliseconds: number) =>
    `${milliseconds.toFixed(1)} ms (bar: at most ${PICK_MAX_MILLISECONDS} ms) ${barResult(milliseconds <= PICK_MAX_MILLISECONDS)}`
  return [
    `A batch of 1000 claimed among ${openPayments} open payments: ${line(picks.milliseconds)}`,
    `  while one bank is at its limit: ${line(picks.withStalledBankMilliseconds)}`,
  ]
}

/** PostgreSQL's processor time per status change; undefined where it is not known. */
export function statusChangeLines(milliseconds: number | undefined): readonly string[] {
  const figure =
    milliseconds === undefined
      ? 'unknown on this system'
      : `${milliseconds.toFixed(2)} ms (bar: at most ${CHANGE_MAX_MILLISECONDS} ms) ${barResult(milliseconds <= CHANGE_MAX_MILLISECONDS)}`
  return [`A status change with its event and delivery takes PostgreSQL ${figure}`]
}
