/** Measures lists, searches and reads of payments with few and with many payments stored. */

import { invoice } from '../contract/examples/demo-fixture.ts'
import type { QueryOf } from '../contract/operation.ts'
import type { operations } from '../contract/operations.ts'
import { measurementOf } from './bench-part.ts'
import { companyOf, endToEndIdOf, STORED_PAYMENTS } from './console/stored-years.ts'
import type { RunningHavn } from './environment/running-havn.ts'
import { barResult, median, quantile } from './figures.ts'

/** How many payments are stored first and then, and how often each request is sent. */
type ListsPlan = { readonly few: number; readonly many: number; readonly requests: number }

export const listLatency = measurementOf<ListsPlan, ListsFigures>({
  full: { few: 5_000, many: 1_000_000, requests: 300 },
  short: { few: 300, many: 600, requests: 5 },
  measure: (onHavn, plan) => onHavn((havn) => measure(havn, plan)),
  lines,
})

/** Milliseconds. */
type RequestFigures = {
  readonly name: string
  readonly p50: number
  readonly p95: number
}

type ListsFigures = {
  readonly plan: ListsPlan
  readonly few: readonly RequestFigures[]
  readonly many: readonly RequestFigures[]
}

const WARM_UP_REQUESTS = 20
/** In one statement, so that an interruption is noticed soon. */
const ROWS_PER_STATEMENT = 100_000
const HOURS_PER_DAY = 24
/** Payments are younger than a year. */
const DAYS = 300
const DATE_CHARACTERS = '2026-11-23'.length
/** Prime. */
const STEP = 7_919
/** A page is filled in both sizes. */
const LIMIT = 20

async function measure(havn: RunningHavn, plan: ListsPlan): Promise<ListsFigures> {
  const few = await latencies(havn, plan.few, plan.requests)
  const many = await latencies(havn, plan.many, plan.requests)
  return { plan, few, many }
}

async function latencies(havn: RunningHavn, stored: number, count: number): Promise<readonly RequestFigures[]> {
  const { now } = await havn.client.getSandboxClock()
  await storePayments(havn, stored, now)
  const figures: RequestFigures[] = []
  const requests = await requestsOf(havn, { stored, now: Temporal.Instant.from(now) })
  for (const [name, request] of Object.entries(requests)) {
    const milliseconds: number[] = []
    for (let n = -WARM_UP_REQUESTS; n < count; n += 1) {
      const start = performance.now()
      await request(n)
      milliseconds.push(performance.now() - start)
    }
    const measured = milliseconds.slice(WARM_UP_REQUESTS)
    figures.push({ name, p50: median(measured), p95: quantile(measured, 0.95) })
  }
  return figures
}

/** The kinds of request by name; `n` selects other payments, companies and times for each request. */
async function requestsOf(
  { client }: RunningHavn,
  { stored, now }: { readonly stored: number; readonly now: Temporal.Instant },
): Promise<Readonly<Record<string, (n: number) => Promise<unknown>>>> {
  const payment = paymentNumber(stored)
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

/** Consecutive requests are for payments far from each other. */
function paymentNumber(stored: number): (n: number) => number {
  return (n) => 1 + (((n + WARM_UP_REQUESTS) * STEP) % stored)
}

const STORED_HISTORY = `
  insert into payment_history (partner_id, payment_id, id, at, status)
  select partner_id, id, id, created_at, status from payments
  where end_to_end_id in (select 'stored-' || n from generate_series($1::int, $2::int) n)`

/** Replaces all payments; `until` is the time of the youngest. */
async function storePayments({ database }: RunningHavn, count: number, until: string): Promise<void> {
  await database.pool.query('truncate payments, payment_history')
  for (let first = 1; first <= count; first += ROWS_PER_STATEMENT) {
    const last = Math.min(first + ROWS_PER_STATEMENT - 1, count)
    await database.pool.query(STORED_PAYMENTS, [first, last, until, count, JSON.stringify(invoice)])
    await database.pool.query(STORED_HISTORY, [first, last])
  }
  await database.pool.query('vacuum analyze payments, payment_history')
  await database.pool.query('checkpoint')
}

/** The p95 with many payments stored, relative to few. */
const RATIO_MAX = 1.5
const NAME_WIDTH = 24

function lines({ plan, few, many }: ListsFigures): readonly string[] {
  return [
    `Lists and reads with ${plan.many} payments stored, relative to ${plan.few}:`,
    ...few.map(({ name, p50, p95 }, index) => {
      const [p50Many = Number.NaN, p95Many = Number.NaN] = [many[index]?.p50, many[index]?.p95]
      const ratio = p95Many / p95
      const each = `p50 ${p50Many.toFixed(1)} ms (${p50.toFixed(1)}), p95 ${p95Many.toFixed(1)} ms (${p95.toFixed(1)})`
      return `  ${name.padEnd(NAME_WIDTH)} ${each}, ${ratio.toFixed(2)} times (bar: at most ${RATIO_MAX}) ${barResult(ratio <= RATIO_MAX)}`
    }),
  ]
}
