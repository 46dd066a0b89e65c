/** Measures lists, searches and reads of payments with few and with many payments stored. */

import type { QueryOf } from '../contract/operation.ts'
import type { operations } from '../contract/operations.ts'
import { measurementOnHavn } from './bench-part.ts'
import { companyOf, endToEndIdOf, storeYears } from './console/stored-years.ts'
import type { RunningHavn } from './environment/running-havn.ts'
import { atMost, median, quantile } from './figures.ts'

/** How many payments are stored first and then, and how often each request is sent. */
type ListsPlan = { readonly few: number; readonly many: number; readonly requests: number }

export const listLatency = measurementOnHavn<ListsPlan>(
  { full: { few: 5_000, many: 1_000_000, requests: 300 }, short: { few: 300, many: 600, requests: 5 } },
  measure,
)

const WARM_UP_REQUESTS = 20
const HOURS_PER_DAY = 24
/** Payments are younger than a year. */
const DAYS = 300
const DATE_CHARACTERS = '2026-11-23'.length
/** Prime. */
const STEP = 7_919
/** A page is filled in both sizes. */
const LIMIT = 20

/** In milliseconds, by the name of the request. */
type Latencies = ReadonlyMap<string, { readonly p50: number; readonly p95: number }>

async function measure(havn: RunningHavn, { few, many, requests }: ListsPlan): Promise<readonly string[]> {
  const withFew = await latencies(havn, few, requests)
  const withMany = await latencies(havn, many, requests)
  return [
    `Lists and reads with ${many} payments stored, relative to ${few}:`,
    ...[...withMany].map(([name, { p50, p95 }]) => {
      const before = withFew.get(name) ?? { p50: Number.NaN, p95: Number.NaN }
      const each = `p50 ${p50.toFixed(1)} ms (${before.p50.toFixed(1)}), p95 ${p95.toFixed(1)} ms (${before.p95.toFixed(1)})`
      return `  ${name.padEnd(24)} ${each}, ${atMost(p95 / before.p95, 1.5, { unit: ' times', decimals: 2 })}`
    }),
  ]
}

async function latencies(havn: RunningHavn, stored: number, count: number): Promise<Latencies> {
  const { now } = await havn.client.getSandboxClock()
  await storeYears(havn, { payments: stored, historyRows: stored }, now)
  const figures = new Map<string, { readonly p50: number; readonly p95: number }>()
  const requests = await requestsOf(havn, { stored, now: Temporal.Instant.from(now) })
  for (const [name, request] of Object.entries(requests)) {
    const milliseconds: number[] = []
    for (let n = -WARM_UP_REQUESTS; n < count; n += 1) {
      const start = performance.now()
      await request(n)
      milliseconds.push(performance.now() - start)
    }
    const measured = milliseconds.slice(WARM_UP_REQUESTS)
    figures.set(name, { p50: median(measured), p95: quantile(measured, 0.95) })
  }
  return figures
}

/** The kinds of request by name; `n` selects other payments, companies and times for each request. */
async function requestsOf(
  { client }: RunningHavn,
  { stored, now }: { readonly stored: number; readonly now: Temporal.Instant },
): Promise<Readonly<Record<string, (n: number) => Promise<unknown>>>> {
  // Consecutive requests are for payments far from each other.
  const payment = (n: number) => 1 + (((n + WARM_UP_REQUESTS) * STEP) % stored)
  const list = async (query: QueryOf<typeof operations.listPayments>) =>
    await client.listPayments({ query: { limit: LIMIT, ...query } })
  const page = await list({})
  const ids = page.payments.map(({ paymentId }) => paymentId)
  const idOf = (n: number) => ids[Math.abs(n) % ids.length] ?? ''
  const daysAgo = (n: number) => now.subtract({ hours: HOURS_PER_DAY * (1 + (Math.abs(n) % DAYS)) }).toString()
  return {
    'oldest payments': async () => await list({}),
    'a later page': async () => await list({ cursor: page.nextCursor ?? '' }),
    'created since a time': async (n) => await list({ fromDate: daysAgo(n).slice(0, DATE_CHARACTERS) }),
    'changed since a time': async (n) => await list({ updatedSince: daysAgo(n) }),
    'unsigned payments': async () => await list({ status: 'Unsigned' }),
    'completed payments': async () => await list({ status: 'Completed' }),
    'of a company': async (n) => await list({ organizationNumber: companyOf(payment(n)) }),
    'by endToEndId': async (n) => await list({ endToEndId: endToEndIdOf(payment(n)) }),
    'one payment': async (n) => await client.getPayment({ params: { paymentId: idOf(n) } }),
    'its status': async (n) => await client.getPaymentStatus({ params: { paymentId: idOf(n) } }),
  }
}
