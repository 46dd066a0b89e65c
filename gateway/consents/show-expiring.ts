/** Shows operators the consents that end soon, of all partners. */
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { EXPIRING_WITHIN } from './consent.ts'
import { type ExpiringConsent, listExpiring } from './expiring-consent-store.ts'

/** More is no list that people read. */
const LISTED_MAX = 1_000

/** Those of which partners are told by `CONSENT_EXPIRING` now, the next to end first. */
export async function showExpiring({
  database,
  clock,
}: {
  readonly database: Database<unknown>
  readonly clock: Clock
}): Promise<readonly ExpiringConsent[]> {
  const from = clock.now()
  return await listExpiring(database, { from, until: from.add(EXPIRING_WITHIN) }, LISTED_MAX)
}
