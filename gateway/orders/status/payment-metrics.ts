/** Measures what is being followed: how many payments are open, for how long, and whether their reads keep up. */
import type { Context } from '../../context.ts'
import { earliestDue } from '../../foundation/due-rows.ts'
import { polling } from '../jobs.ts'
import { countOpenPayments } from './payment-metrics-store.ts'

/** Counting reads every open payment, which a scraper may ask for too often. */
const COUNT_EVERY_SECONDS = 60

/** Makes the measure of a process; called before each scrape. */
export function paymentMeasure(context: Pick<Context, 'database' | 'metrics' | 'clock'>): () => Promise<void> {
  let countedAt: Temporal.Instant | undefined
  return async () => {
    const { clock } = context
    await measureReads(context)
    const isOld = countedAt === undefined || clock.real().since(countedAt).total('seconds') >= COUNT_EVERY_SECONDS
    if (isOld) {
      countedAt = clock.real()
      await measureOpen(context)
    }
  }
}

async function measureReads({ database, metrics, clock }: Parameters<typeof paymentMeasure>[0]): Promise<void> {
  const earliest = await earliestDue(database, polling)
  const seconds = earliest === null ? 0 : clock.now().since(earliest).total('seconds')
  metrics.readsBehind.set(Math.max(0, seconds))
}

async function measureOpen({ database, metrics, clock }: Parameters<typeof paymentMeasure>[0]): Promise<void> {
  const counts = await countOpenPayments(database, clock.now())
  metrics.openPayments.reset()
  for (const { status, age, count } of counts) {
    metrics.openPayments.set({ status, age }, Number(count))
  }
}
