/** Updates the metrics of open payrolls: their number by state, and the age of the oldest without a worker. */
import type { Context } from '../../context.ts'
import { countOpenPayrolls } from '../store/payroll-operator-store.ts'

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
