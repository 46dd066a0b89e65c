/** Updates the gauge of consents that expire soon and are not renewed. */
import type { Context } from '../context.ts'
import { EXPIRY_NOTICE_PERIOD } from './consent.ts'
import { countExpiringConsents } from './expiry/expiring-consent-store.ts'

/** Banks without such consents are left out. */
export async function updateConsentMetrics({ database, clock, metrics }: Context): Promise<void> {
  const from = clock.now()
  const counts = await countExpiringConsents(database, { from, until: from.add(EXPIRY_NOTICE_PERIOD) })
  metrics.expiringConsents.reset()
  for (const { bic, count } of counts) {
    metrics.expiringConsents.set({ bank: bic }, Number(count))
  }
}
