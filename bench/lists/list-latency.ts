/** Measures lists, searches and reads of payments with few and with many payments stored. */
import type { QueryOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import { measureOnHavn, type OpenHavn, type RunningHavn } from '../environment/running-havn.ts'
import { median, quantile } from '../figures.ts'
import { companyOf, endToEndIdOf, storePayments } from './stored-payments.ts'

/** How many payments are stored first and then, and how often each request is sent. */
export type ListsPlan = { readonly few: number; readonly many: number; readonly requests: number }

export const FULL_LISTS: ListsPlan = { few: 5_000, many: 1_000_000, requests: 300 }
/** A short run that only shows that the bench works; its figures mean nothing. */
export const SHORT_LISTS: ListsPlan = { few: 300, many: 600, requests: 5 }

/** Milliseconds of one kind of request. */
export type RequestFigures = {
  readonly name: string
  readonly p50: number
  readonly p95: number
}

export type ListsFigures = {
  readonly plan: ListsPlan
  readonly few: readonly RequestFigures[]
  readonly many: readonly RequestFigures[]
}

const WARM_UP_REQUESTS = 20
const HOURS_PER_DAY = 24
/** Payments are younger than a year. */
const DAYS = 300
const DATE_CHARACTERS = '2026-11-23'.length
/** Prime. */
const STEP = 7_919
/** A page is filled in both sizes. */
const LIMIT = 20

/** Cleans up, even when it is interrupted. */
export async function measureLists(
  open: OpenHavn,
  plan: ListsPlan,
  interrupted: Promise<never>,
): Promise<ListsFigures> {
  return await measureOnHavn(open, (havn) => measure(havn, plan), interrupted)
}

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
