/** Collects payment metrics: the number and age of open payments and the delay of their polls. */
import type { Context } from '../../context.ts'
import { findEarliestDueTime } from '../../platform/jobs/due-row-scan.ts'
import { countOpenPayrolls } from '../store/payroll-submission-store.ts'
import { countOpenPayments } from '../store/polled-payment-store.ts'
import { polling } from './poll-schedule.ts'

/** Counting reads every open payment, and a scraper may request metrics more often. */
const COUNT_EVERY_SECONDS = 60

/** Returns the collector of a process, which is called before each scrape. */
export function paymentMetricsCollector(context: Context): () => Promise<void> {
  let countedAt: Temporal.Instant | undefined
  return async () => {
    const { clock } = context
    await collectPollLag(context)
    const isOld = countedAt === undefined || clock.real().since(countedAt).total('seconds') >= COUNT_EVERY_SECONDS
    if (isOld) {
      countedAt = clock.real()
      await collectOpenPayments(context)
    }
  }
}

async function collectPollLag({ database, metrics, clock }: Context): Promise<void> {
  const earliest = await findEarliestDueTime(database, polling)
  const seconds = earliest === null ? 0 : clock.now().since(earliest).total('seconds')
  metrics.paymentPollLag.set(Math.max(0, seconds))
}

async function collectOpenPayments({ database, metrics, clock }: Context): Promise<void> {
  const counts = await countOpenPayments(database, clock.now())
  metrics.openPayments.reset()
  for (const { status, age, count } of counts) {
    metrics.openPayments.set({ status, age }, Number(count))
  }
}

/** Called before each scrape; counts by the index of due rows. */
export async function registerPayrollMetrics({ database, metrics, clock }: Context): Promise<void> {
  const states = await countOpenPayrolls(database, clock.real())
  metrics.openPayrolls.reset()
  for (const { state, count } of states) {
    metrics.openPayrolls.set({ state }, count)
  }
  const { oldest } = states.find(({ state }) => state === 'submitting') ?? { oldest: null }
  metrics.unclaimedPayroll.set(oldest === null ? 0 : Math.max(0, clock.now().since(oldest).total('seconds')))
}
