/** Measures the pages of the console with millions of payments stored, and what open pages that live cost. */
import { waitUntil } from '../../launcher/processes.ts'
import { measurementOf } from '../bench-part.ts'
import { type RunningHavn, todayOf } from '../environment/running-havn.ts'
import { barResult, quantile } from '../figures.ts'
import { type ConsoleBrowser, signInToConsole } from './console-browser.ts'
import { type LiveFigures, type LivePlan, measureLivePages } from './live-pages.ts'
import { companyOf, endToEndIdOf, type StoredYears, storeYears } from './stored-years.ts'

type ConsolePlan = StoredYears &
  LivePlan & {
    /** Of each page, before the measurement and during it. */
    readonly warmUpRequests: number
    readonly requests: number
  }

const FULL: ConsolePlan = {
  payments: 5_000_000,
  historyRows: 50_000_000,
  warmUpRequests: 10,
  requests: 100,
  streams: 100,
  seconds: 60,
  transactions: 200,
}

export const consolePages = measurementOf<ConsolePlan, ConsoleFigures>({
  full: FULL,
  tenth: { ...FULL, payments: 500_000, historyRows: 5_000_000 },
  short: {
    payments: 600,
    historyRows: 6_000,
    warmUpRequests: 1,
    requests: 2,
    streams: 3,
    seconds: 0.4,
    transactions: 2,
  },
  measure: (onHavn, plan) => onHavn((havn) => measure(havn, plan)),
  lines,
})

type PageFigures = {
  readonly path: string
  readonly p50: number
  readonly p95: number
  /** The largest answer. */
  readonly bytes: number
}

type ConsoleFigures = {
  readonly plan: ConsolePlan
  readonly pages: readonly PageFigures[]
  readonly live: readonly LiveFigures[]
  /** Of filling the tables. */
  readonly storeSeconds: number
  /** Seconds until all days were counted for the overview. */
  readonly countSeconds: number
}

/** Prime, so that consecutive requests are for payments far from each other. */
const STEP = 7_919
const COUNT_TIMEOUT_MILLISECONDS = 120_000
const DAYS = 29

async function measure(havn: RunningHavn, plan: ConsolePlan): Promise<ConsoleFigures> {
  const { now } = await havn.client.getSandboxClock()
  const began = performance.now()
  await storeYears(havn, plan, now)
  const storeSeconds = (performance.now() - began) / 1000
  const countSeconds = await countAll(havn)
  const browser = await signInToConsole(havn)
  const { rows } = await havn.database.pool.query<{ id: string }>(
    'select id from payments order by created_at desc limit 200',
  )
  const ids = rows.map(({ id }) => id)
  const pages: PageFigures[] = []
  for (const [path, pathOf] of Object.entries(await pathsOf(havn, browser, { ids, stored: plan.payments }))) {
    pages.push({ path, ...(await measurePage(browser, pathOf, plan)) })
  }
  return { plan, pages, storeSeconds, countSeconds, live: await measureLivePages(havn, browser, ids, plan) }
}

/** The worker counts all days again, as it does once a day. */
async function countAll({ database }: RunningHavn): Promise<number> {
  await database.pool.query(`update payment_count_positions set recounted_on = null, due_at = '2000-01-01T00:00:00Z'`)
  const began = performance.now()
  const isCounted = await waitUntil(async () => {
    const { rows } = await database.pool.query('select 1 from payment_count_positions where recounted_on is null')
    return rows.length === 0
  }, COUNT_TIMEOUT_MILLISECONDS)
  if (!isCounted) {
    throw new Error('The worker did not count the payments in time')
  }
  return (performance.now() - began) / 1000
}

async function measurePage(
  browser: ConsoleBrowser,
  pathOf: (n: number) => string,
  { warmUpRequests, requests }: Pick<ConsolePlan, 'warmUpRequests' | 'requests'>,
): Promise<Omit<PageFigures, 'path'>> {
  const milliseconds: number[] = []
  let bytes = 0
  for (let n = 0; n < warmUpRequests + requests; n += 1) {
    const start = performance.now()
    const page = await browser.open(pathOf(n))
    milliseconds.push(performance.now() - start)
    bytes = Math.max(bytes, page.bytes)
  }
  const measured = milliseconds.slice(warmUpRequests)
  return { p50: quantile(measured, 0.5), p95: quantile(measured, 0.95), bytes }
}

/** The pages by the shape of their path; `n` selects other payments, companies and days for each request. */
async function pathsOf(
  havn: RunningHavn,
  browser: ConsoleBrowser,
  { ids, stored }: { readonly ids: readonly string[]; readonly stored: number },
): Promise<Readonly<Record<string, (n: number) => string>>> {
  const payment = (n: number) => 1 + ((n * STEP) % stored)
  const idOf = (n: number) => ids[n % ids.length] ?? ''
  const today = await todayOf(havn)
  const day = (n: number) => today.subtract({ days: n % DAYS })
  const dayQuery = (n: number) => `from=${day(n)}&to=${day(n)}`
  const { rows } = await havn.database.pool.query<{ id: string }>(
    `select partner_id as id from clients where client_id = 'demo-partner'`,
  )
  const partner = `/console/partners/${rows[0]?.id}`
  const { html } = await browser.open('/console/payments')
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(html) ?? []
  const nextPath = next
    .replaceAll(/&#(\d+);/g, (_reference, code) => String.fromCharCode(code))
    .replaceAll('&amp;', '&')
  const navigation = [...html.matchAll(/<li><a href="(\/console[^"]*)"/g)].map(([, path = '']) => path)
  return {
    ...Object.fromEntries(navigation.map((path) => [path, () => path])),
    '/console/payments?after=…': () => nextPath,
    ...Object.fromEntries(
      ['Unsigned', 'Rejected', 'Completed'].map((status) => {
        const path = `/console/payments?status=${status}`
        return [path, () => path]
      }),
    ),
    '/console/payments?from=…&to=…': (n) => `/console/payments?${dayQuery(n)}`,
    '/console/payments?status=Rejected&from=…&to=…': (n) => `/console/payments?status=Rejected&${dayQuery(n)}`,
    '/console/payments?signed=no&from=…&to=…': (n) => `/console/payments?signed=no&${dayQuery(n)}`,
    '/console/payments?currency=EUR&from=…&to=…': (n) => `/console/payments?currency=EUR&${dayQuery(n)}`,
    '/console/payments?account=…, none': () => '/console/payments?account=zzzz',
    '/console/payments?amount=…, none': () => '/console/payments?amount=0,01-0,02',
    '/console/payments?currency=EUR, 30 days': () =>
      `/console/payments?currency=EUR&from=${today.subtract({ days: DAYS })}&to=${today}`,
    '/console/payments?currency=SEK, 30 days, none': () =>
      `/console/payments?currency=SEK&from=${today.subtract({ days: DAYS })}&to=${today}`,
    '/console/payments?company=…': (n) => `/console/payments?company=${companyOf(payment(n))}`,
    '/console/payments?q=endToEndId': (n) => `/console/payments?q=${endToEndIdOf(payment(n))}`,
    '/console/payments/:paymentId': (n) => `/console/payments/${idOf(n)}`,
    '/console/approvals?status=STARTED': () => '/console/approvals?status=STARTED',
    '/console/consents/expiring': () => '/console/consents/expiring',
    '/console/requests/tail': () => '/console/requests/tail',
    '/console/partners/:partnerId': () => partner,
    '/console/banks/:bic': () => '/console/banks/FJORNO22',
  }
}

const MILLISECONDS_MAX = 100
const KILOBYTES_MAX = 60
const BYTES_PER_KILOBYTE = 1_000
/** Of a core, for a hundred open pages. */
const SHARE_MAX = 0.01

function lines({ plan, pages, live, storeSeconds, countSeconds }: ConsoleFigures): readonly string[] {
  const width = Math.max(...pages.map(({ path }) => path.length))
  const shareOf = (share: number) => (share * 100) / plan.streams
  return [
    `Pages of the console with ${plan.payments} payments and ${plan.historyRows} rows of history stored:`,
    ...pages.map(({ path, p50, p95, bytes }) => {
      const kilobytes = bytes / BYTES_PER_KILOBYTE
      const isMet = p95 <= MILLISECONDS_MAX && kilobytes <= KILOBYTES_MAX
      const figures = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${kilobytes.toFixed(1)} kB`
      return `  ${path.padEnd(width)} ${figures} (bar: p95 at most ${MILLISECONDS_MAX} ms, ${KILOBYTES_MAX} kB) ${barResult(isMet)}`
    }),
    ...live.map(({ pages: what, share: measured }) => {
      const share = shareOf(measured)
      const figure = `${(100 * share).toFixed(2)} % of a core for each hundred`
      return `  ${plan.streams} open pages of ${what}: ${figure} (bar: at most ${100 * SHARE_MAX} %) ${barResult(share <= SHARE_MAX)}`
    }),
    `  stored within ${storeSeconds.toFixed(0)} s`,
    `  all days counted again after ${countSeconds.toFixed(1)} s`,
  ]
}
