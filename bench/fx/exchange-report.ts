/** Renders the FX figures and their targets. */

import { barResult, quantile } from '../figures.ts'
import type { ExchangeFigures } from './exchange-deadlines.ts'

const DECIDED_MAX_MILLISECONDS = 1_000
const CALLS_PER_MINUTE_MAX = 500
const TIME_LEFT_MIN = 0.9

/** One line per figure. */
export function exchangeLines(figures: ExchangeFigures): readonly string[] {
  const { deals, openAtOnce, decidedAfter, undone, undoneWithinSeconds, callsInAMinute, timeLeft } = figures
  const slowest = quantile(decidedAfter, 1)
  const least = quantile(timeLeft, 0)
  const p95 = quantile(decidedAfter, 0.95).toFixed(0)
  return [
    `Exchange, ${deals} unsigned deals, ${openAtOnce} of them open at once:`,
    `  decided after the deadline       p95 ${p95} ms, slowest ${slowest.toFixed(0)} ms (bar: at most ${DECIDED_MAX_MILLISECONDS} ms) ${barResult(slowest <= DECIDED_MAX_MILLISECONDS)}`,
    `  cancelled at the provider        ${undone} within ${undoneWithinSeconds.toFixed(0)} s of the last order`,
    `    calls to the provider          ${callsInAMinute} in the busiest minute (bar: at most ${CALLS_PER_MINUTE_MAX}, its usual limit) ${barResult(callsInAMinute <= CALLS_PER_MINUTE_MAX)}`,
    `  signing time left at the bank    ${(100 * least).toFixed(1)} % minimum of ${timeLeft.length} users (bar: at least ${100 * TIME_LEFT_MIN} %) ${barResult(least >= TIME_LEFT_MIN)}`,
  ]
}
