/** Lists the consents of all partners that expire soon, for operators. */
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { EXPIRY_NOTICE_PERIOD } from './consent.ts'
import { type ExpiringConsent, findExpiringConsents } from './expiring-consent-store.ts'

/** A longer list would not be read. */
const LISTED_MAX = 1_000

/** Those with the notice `CONSENT_EXPIRING`, the next to expire first. */
export async function listExpiringConsents({
  database,
  clock,
}: {
  readonly database: Database<unknown>
  readonly clock: Clock
}): Promise<readonly ExpiringConsent[]> {
  const from = clock.now()
  return await findExpiringConsents(database, { from, until: from.add(EXPIRY_NOTICE_PERIOD) }, LISTED_MAX)
}
