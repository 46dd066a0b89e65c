/** Renders the payroll figures and their targets. */
import { barResult } from '../figures.ts'
import type { CancellationFigures } from './payroll-cancellation.ts'
import type { BankKindFigures, PayrollFigures } from './payroll-processing.ts'

const LARGE_MAX_MILLISECONDS = 3_000
const STATUS_MAX_MILLISECONDS = 200
const MEMORY_MAX_MEGABYTES = 400
const WAKE_UP_MAX_MILLISECONDS = 1_000
const CANCELLATION_MAX_MILLISECONDS = 30_000
/** Maximum ratio of other requests' latency during the largest payroll, and of its cost per transaction. */
const OTHER_REQUESTS_RATIO_MAX = 2
const COST_RATIO_MAX = 1.3

/** One line per figure. */
export function payrollLines(figures: PayrollFigures): readonly string[] {
  const { plan, largeMilliseconds, smallMilliseconds, statusMilliseconds, others, wakeUp, peakMegabytes, ways } =
    figures
  const othersRatio = others.besideP95 / others.quietP95
  const costRatio = largeMilliseconds / plan.large / (smallMilliseconds / plan.small)
  const { before, after } = peakMegabytes
  return [
    `Payrolls, ${plan.large} transactions in one request at a bank with bulks:`,
    `  response time                    ${largeMilliseconds.toFixed(0)} ms (bar: at most ${LARGE_MAX_MILLISECONDS} ms) ${barResult(largeMilliseconds <= LARGE_MAX_MILLISECONDS)}`,
    `  a transaction, relative to ${String(plan.small).padEnd(5)} ${costRatio.toFixed(2)} times (bar: at most ${COST_RATIO_MAX} times) ${barResult(costRatio <= COST_RATIO_MAX)}`,
    `  p95 of other requests            ${others.besideP95.toFixed(1)} ms, ${othersRatio.toFixed(2)} times (bar: at most ${OTHER_REQUESTS_RATIO_MAX} times) ${barResult(othersRatio <= OTHER_REQUESTS_RATIO_MAX)}`,
    `  gateway peak memory              ${after.toFixed(0)} MB, ${before.toFixed(0)} MB before it (bar: at most ${MEMORY_MAX_MEGABYTES} MB) ${barResult(after <= MEMORY_MAX_MEGABYTES)}`,
    `  reading its status               ${statusMilliseconds.toFixed(0)} ms (bar: at most ${STATUS_MAX_MILLISECONDS} ms) ${barResult(statusMilliseconds <= STATUS_MAX_MILLISECONDS)}`,
    `  first order at the bank          ${wakeUp.median.toFixed(0)} ms after the response, at most ${wakeUp.most.toFixed(0)} ms, where a worker submits them (bar: at most ${WAKE_UP_MAX_MILLISECONDS} ms) ${barResult(wakeUp.most <= WAKE_UP_MAX_MILLISECONDS)}`,
    ...Object.entries(ways).map(([way, figuresOfWay]) => bankKindLine(way, figuresOfWay)),
    cancellationLine(figures.cancellation),
  ]
}

function bankKindLine(way: string, of: BankKindFigures): string {
  const calls = `${of.initiations} calls to submit, ${of.otherCalls} others`
  const times = `signed ${seconds(of.signedMilliseconds)} after the order, outcomes known ${seconds(of.knownMilliseconds)} after the due day`
  return `  ${way.padEnd(8)} ${of.payouts} transactions: ${calls}, ${of.signatures} signatures; ${times}`
}

function cancellationLine(of: CancellationFigures): string {
  const { orders, answeredOrders, responseMilliseconds, cancelledMilliseconds } = of
  const response = `${seconds(responseMilliseconds)} with ${answeredOrders} cancelled (bar: at most ${seconds(CANCELLATION_MAX_MILLISECONDS)}) ${barResult(responseMilliseconds <= CANCELLATION_MAX_MILLISECONDS)}`
  return `  cancelling ${orders} single orders: answered after ${response}; all cancelled after ${seconds(cancelledMilliseconds)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
