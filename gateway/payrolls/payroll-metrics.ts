/** Measures how payrolls do on their way to banks: how many are in which state, and for how long one lies still. */
import type { Context } from '../context.ts'
import { countOpenPayrolls } from './payroll-operator-store.ts'

/** Counts by the index of what is looked at again; called before each scrape. */
export async function measurePayrolls({
  database,
  metrics,
  clock,
}: Pick<Context, 'database' | 'metrics' | 'clock'>): Promise<void> {
  const states = await countOpenPayrolls(database, clock.real())
  metrics.openPayrolls.reset()
  for (const { state, count } of states) {
    metrics.openPayrolls.set({ state }, count)
  }
  const { oldest } = states.find(({ state }) => state === 'placing') ?? { oldest: null }
  metrics.idlePayroll.set(oldest === null ? 0 : Math.max(0, clock.now().since(oldest).total('seconds')))
}
