/** Measures other requests while one user of the console downloads lists as CSV files, in several connections at once. */
import { setTimeout as pause } from 'node:timers/promises'
import { CSV_ROWS_MAX } from '../../console/lists/csv-file.ts'
import { measurementOnHavn } from '../bench-part.ts'
import { requestLatencyDuring } from '../environment/request-latency.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { atMost, line, median, quantile } from '../figures.ts'
import { type ConsoleBrowser, signInToConsole } from './console-browser.ts'
import { storeYears } from './stored-years.ts'

const FULL = {
  payments: 20_000,
  /** Of one session, each with one download after the other. */
  connections: 10,
  /** How long other requests are measured, without downloads and during them. */
  seconds: 20,
}
type ExportPlan = typeof FULL

export const csvExports = measurementOnHavn<ExportPlan>(
  { full: FULL, short: { payments: 600, connections: 2, seconds: 0.5 } },
  measure,
)

const PATH = '/console/payments.csv'

async function measure(havn: RunningHavn, { payments, connections, seconds }: ExportPlan): Promise<readonly string[]> {
  const { now } = await havn.client.getSandboxClock()
  await storeYears(havn, { payments, historyRows: payments }, now)
  const rows = Math.min(payments, CSV_ROWS_MAX)
  const browser = await signInToConsole(havn)
  await download(browser, rows)
  const aloneMilliseconds = await download(browser, rows)
  const quiet = await requestLatencyDuring(havn.url, () => pause(seconds * 1000))
  let downloads = 0
  const during = await requestLatencyDuring(havn.url, async () => {
    const until = performance.now() + seconds * 1000
    const downloadAll = async () => {
      while (performance.now() < until) {
        await download(browser, rows)
        downloads += 1
      }
    }
    await Promise.all(Array.from({ length: connections }, downloadAll))
  })
  const [p50, p50Before] = [median(during), median(quiet)]
  const [p95, p95Before] = [during, quiet].map((latencies) => quantile(latencies, 0.95).toFixed(1))
  const ratio = atMost(p50 / p50Before, 2, { unit: ' times', decimals: 2 })
  return [
    `Other requests while one user downloads lists of ${rows} payments in ${connections} connections:`,
    line('p50 of other requests', `${p50.toFixed(1)} ms, ${p50Before.toFixed(1)} ms before: ${ratio}`),
    line('p95 of other requests', `${p95} ms, ${p95Before} ms before`),
    line('downloads', `${downloads} in ${seconds} s; one alone takes ${aloneMilliseconds.toFixed(0)} ms`),
  ]
}

/** Throws when rows are missing: a download that ends early would cost the others little. */
async function download(browser: ConsoleBrowser, expected: number): Promise<number> {
  const begun = performance.now()
  const { html } = await browser.open(PATH)
  const rows = html.trimEnd().split('\n').length - 1
  if (rows !== expected) {
    throw new Error(`${PATH} has ${rows} rows`)
  }
  return performance.now() - begun
}
