/** Measures what open pages that live cost: of payments at rest, of a payroll that is submitted, and of requests. */
import { setTimeout as pause } from 'node:timers/promises'
import { PAYROLL_BANKS } from '../../gateway/testing/payrolls/payroll-fixture.ts'
import { cpuTimesDuring } from '../environment/process-usage.ts'
import type { RunningHavn } from '../environment/running-havn.ts'
import { atMost } from '../figures.ts'
import { openPayrollClient } from '../payrolls/payroll-fixture.ts'
import type { ConsoleBrowser } from './console-browser.ts'

type LivePlan = {
  readonly streams: number
  /** How long open streams are measured. */
  readonly seconds: number
  /** Of the payroll that is submitted. */
  readonly transactions: number
}

/** Open pages, and what happens all the time while they are open, and while they are not. */
type LivePages = {
  readonly pages: string
  readonly pathOf: (n: number) => string
  readonly change?: () => Promise<unknown>
}

const CHANGES_PER_SECOND = 5

export async function measureLivePages(
  havn: RunningHavn,
  browser: ConsoleBrowser,
  paymentIds: readonly string[],
  plan: LivePlan,
): Promise<readonly string[]> {
  const payrollId = await storeUnfinishedPayroll(havn, plan.transactions)
  const { pool } = havn.database
  const lines: string[] = []
  const kinds: readonly LivePages[] = [
    { pages: 'payments at rest', pathOf: (n) => `/console/payments/${paymentIds[n % paymentIds.length]}/live` },
    {
      pages: 'a payroll that is submitted',
      pathOf: () => `/console/payrolls/${payrollId}/live`,
      change: () =>
        pool.query(`update payrolls set changed_at = changed_at + interval '1 ms' where id = $1`, [payrollId]),
    },
    {
      pages: `requests, ${CHANGES_PER_SECOND} a second`,
      pathOf: () => '/console/requests/tail/all/live',
      change: () => havn.client.listPayments({ query: { limit: 1 } }),
    },
  ]
  for (const kind of kinds) {
    const percent = (100 * 100 * (await measureShare(havn, browser, kind, plan))) / plan.streams
    const figure = atMost(percent, 1, { unit: ' %', decimals: 2, beside: ' of a core for each hundred' })
    lines.push(`  ${plan.streams} open pages of ${kind.pages}: ${figure}`)
  }
  return lines
}

/** The worker has submitted it, and leaves it alone; pages read it as if it were still being submitted. */
async function storeUnfinishedPayroll(havn: RunningHavn, transactions: number): Promise<string> {
  const client = await openPayrollClient(havn, PAYROLL_BANKS.bulk)
  const { payrollId } = await client.order(client.payroll(transactions))
  await client.submitted(payrollId)
  await havn.database.pool.query(`update payrolls set state = 'submitting', submit_at = null where id = $1`, [
    payrollId,
  ])
  return payrollId
}

/** Of one core: what the gateway and PostgreSQL take more with the open streams than without. */
async function measureShare(
  havn: RunningHavn,
  browser: ConsoleBrowser,
  { pathOf, change }: LivePages,
  { streams, seconds }: LivePlan,
): Promise<number> {
  const shareDuring = async () => {
    const { times } = await cpuTimesDuring(havn, () => changeFor(seconds, change))
    return ((times.get('gateway') ?? 0) + (times.get('postgres') ?? 0)) / (seconds * 1_000)
  }
  const without = await shareDuring()
  const closings = await Promise.all(Array.from({ length: streams }, (_, n) => browser.openStream(pathOf(n))))
  const open = await shareDuring()
  for (const close of closings) {
    close()
  }
  return open - without
}

async function changeFor(seconds: number, change: LivePages['change']): Promise<void> {
  for (let n = 0; n < seconds * CHANGES_PER_SECOND; n += 1) {
    await Promise.all([change?.(), pause(1_000 / CHANGES_PER_SECOND)])
  }
}
