/** Measures how many consents end soon that nobody has renewed. */
import type { Context } from '../context.ts'
import { EXPIRING_WITHIN } from './consent.ts'
import { countExpiring } from './expiring-consent-store.ts'

/** Brings the gauge up to date; banks of which none ends soon are left out. */
export async function measureConsents({
  database,
  clock,
  metrics,
}: Pick<Context, 'database' | 'clock' | 'metrics'>): Promise<void> {
  const from = clock.now()
  const counts = await countExpiring(database, { from, until: from.add(EXPIRING_WITHIN) })
  metrics.expiringConsents.reset()
  for (const { bic, count } of counts) {
    metrics.expiringConsents.set({ bank: bic }, Number(count))
  }
}
