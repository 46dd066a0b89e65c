/** Measures the pages of the console with millions of payments stored, and what open pages that live cost. */
import { waitUntil } from '../../launcher/processes.ts'
import { measurementOnHavn } from '../bench-part.ts'
import { type RunningHavn, todayOf } from '../environment/running-havn.ts'
import { quantile } from '../figures.ts'
import { type ConsoleBrowser, signInToConsole } from './console-browser.ts'
import { measureLivePages } from './live-pages.ts'
import { companyOf, endToEndIdOf, storeYears } from './stored-years.ts'

const FULL = {
  payments: 5_000_000,
  historyRows: 50_000_000,
  /** Of each page, before the measurement and during it. */
  warmUpRequests: 10,
  requests: 100,
  streams: 100,
  seconds: 60,
  transactions: 200,
}
type ConsolePlan = typeof FULL

export const consolePages = measurementOnHavn<ConsolePlan>(
  {
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
  },
  measure,
)

/** Prime, so that consecutive requests are for payments far from each other. */
const STEP = 7_919
const COUNT_TIMEOUT_MILLISECONDS = 120_000
const DAYS = 29
const MILLISECONDS_MAX = 100
/** Of the largest answer of a page. */
const KILOBYTES_MAX = 60
const BYTES_PER_KILOBYTE = 1_000

async function measure(havn: RunningHavn, plan: ConsolePlan): Promise<readonly string[]> {
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
  const paths = Object.entries(await pathsOf(havn, browser, { ids, stored: plan.payments }))
  const width = Math.max(...paths.map(([path]) => path.length))
  const pages: string[] = []
  for (const [path, pathOf] of paths) {
    pages.push(`  ${path.padEnd(width)} ${await measurePage(browser, pathOf, plan)}`)
  }
  return [
    `Pages of the console with ${plan.payments} payments and ${plan.historyRows} rows of history stored:`,
    ...pages,
    ...(await measureLivePages(havn, browser, ids, plan)),
    `  stored within ${storeSeconds.toFixed(0)} s`,
    `  all days counted again after ${countSeconds.toFixed(1)} s`,
  ]
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
): Promise<string> {
  const milliseconds: number[] = []
  let kilobytes = 0
  for (let n = 0; n < warmUpRequests + requests; n += 1) {
    const start = performance.now()
    const page = await browser.open(pathOf(n))
    milliseconds.push(performance.now() - start)
    kilobytes = Math.max(kilobytes, page.bytes / BYTES_PER_KILOBYTE)
  }
  const [p50 = 0, p95 = 0] = [0.5, 0.95].map((share) => quantile(milliseconds.slice(warmUpRequests), share))
  const isMet = p95 <= MILLISECONDS_MAX && kilobytes <= KILOBYTES_MAX
  const figures = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${kilobytes.toFixed(1)} kB`
  return `${figures} (bar: p95 at most ${MILLISECONDS_MAX} ms, ${KILOBYTES_MAX} kB) ${isMet ? 'met' : 'missed'}`
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
  const statuses = ['Unsigned', 'Rejected', 'Completed'].map((status) => `/console/payments?status=${status}`)
  const others = ['approvals?status=STARTED', 'consents/expiring', 'requests/tail'].map((path) => `/console/${path}`)
  const fixed = [...navigation, ...statuses, ...others]
  return {
    ...Object.fromEntries(fixed.map((path) => [path, () => path])),
    '/console/payments?after=…': () => nextPath,
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
    '/console/partners/:partnerId': () => partner,
    '/console/banks/:bic': () => '/console/banks/FJORNO22',
  }
}
