/** Measures other requests while one user of the console downloads lists as CSV files, in several connections at once. */
import { setTimeout as pause } from 'node:timers/promises'
import { CSV_ROWS_MAX } from '../../console/lists/csv-file.ts'
import { measurementOf } from '../bench-part.ts'
import { requestLatencyDuring } from '../environment/request-latency.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { barResult, median, quantile } from '../figures.ts'
import { type ConsoleBrowser, signInToConsole } from './console-browser.ts'
import { type StoredYears, storeYears } from './stored-years.ts'

type ExportPlan = StoredYears & {
  /** Of one session, each with one download after the other. */
  readonly connections: number
  /** How long other requests are measured, without downloads and during them. */
  readonly seconds: number
}

export const csvExports = measurementOf<ExportPlan, ExportFigures>({
  full: { payments: 20_000, historyRows: 20_000, connections: 10, seconds: 20 },
  short: { payments: 600, historyRows: 600, connections: 2, seconds: 0.5 },
  measure: (onHavn, plan) => onHavn((havn) => measure(havn, plan)),
  lines,
})

type ExportFigures = {
  readonly plan: ExportPlan
  readonly downloads: number
  /** Of one download, without others. */
  readonly aloneMilliseconds: number
  readonly quiet: readonly number[]
  readonly during: readonly number[]
}

const PATH = '/console/payments.csv'
const P50_RATIO_MAX = 2

async function measure(havn: RunningHavn, plan: ExportPlan): Promise<ExportFigures> {
  const { now } = await havn.client.getSandboxClock()
  await storeYears(havn, plan, now)
  const browser = await signInToConsole(havn)
  await download(browser, plan)
  const aloneMilliseconds = await download(browser, plan)
  const quiet = await requestLatencyDuring(havn.url, () => pause(plan.seconds * 1000))
  let downloads = 0
  const during = await requestLatencyDuring(havn.url, async () => {
    const until = performance.now() + plan.seconds * 1000
    const connections = Array.from({ length: plan.connections }, async () => {
      while (performance.now() < until) {
        await download(browser, plan)
        downloads += 1
      }
    })
    await Promise.all(connections)
  })
  return { plan, downloads, aloneMilliseconds, quiet, during }
}

/** Throws when rows are missing: a download that ends early would cost the others little. */
async function download(browser: ConsoleBrowser, { payments }: ExportPlan): Promise<number> {
  const begun = performance.now()
  const { html } = await browser.open(PATH)
  const rows = html.trimEnd().split('\n').length - 1
  if (rows !== Math.min(payments, CSV_ROWS_MAX)) {
    throw new Error(`${PATH} has ${rows} rows`)
  }
  return performance.now() - begun
}

function lines({ plan, downloads, aloneMilliseconds, quiet, during }: ExportFigures): readonly string[] {
  const [before, after] = [median(quiet), median(during)]
  const ratio = after / before
  return [
    `Other requests while one user downloads lists of ${Math.min(plan.payments, CSV_ROWS_MAX)} payments in ${plan.connections} connections:`,
    `  p50 of other requests            ${after.toFixed(1)} ms, ${before.toFixed(1)} ms before: ${ratio.toFixed(2)} times (bar: at most ${P50_RATIO_MAX} times) ${barResult(ratio <= P50_RATIO_MAX)}`,
    `  p95 of other requests            ${quantile(during, 0.95).toFixed(1)} ms, ${quantile(quiet, 0.95).toFixed(1)} ms before`,
    `  downloads                        ${downloads} in ${plan.seconds} s; one alone takes ${aloneMilliseconds.toFixed(0)} ms`,
  ]
}
