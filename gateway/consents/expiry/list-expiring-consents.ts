/** Lists and counts consents that expire soon. */

import type { Context } from '../../context.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { EXPIRY_NOTICE_PERIOD } from '../consent.ts'
import {
  type ExpiringConsent,
  type ExpiringPosition,
  expiringCountQuery,
  findExpiringConsents,
} from './expiring-consent-store.ts'

export type { ExpiringConsent, ExpiringPosition } from './expiring-consent-store.ts'

/** A longer list would not be read. */
const LISTED_MAX = 1_000

export type ExpiringRequest = {
  /** Null for all partners. */
  readonly partnerId: string | null
  readonly within: Temporal.DurationLike
  readonly after?: ExpiringPosition | undefined
  readonly limit: number
}

/** By default those of all partners with the notice `CONSENT_EXPIRING`; the next to expire first. */
export async function listExpiringConsents(
  { database, clock }: ProgramContext,
  { partnerId, within, after, limit }: ExpiringRequest = {
    partnerId: null,
    within: EXPIRY_NOTICE_PERIOD,
    limit: LISTED_MAX,
  },
): Promise<readonly ExpiringConsent[]> {
  const from = clock.now()
  return await findExpiringConsents(database, { partnerId, from, until: from.add(within), after, limit })
}

/** How many there are, at most `limit` of each partner, and when the first of them expires. */
export async function countConsentsThatExpire(
  { database, clock }: Context,
  { partnerId, within, limit }: Omit<ExpiringRequest, 'after'>,
): Promise<{ readonly count: number; readonly first: Temporal.Instant | null }> {
  const from = clock.now()
  const { rows } = await expiringCountQuery({ partnerId, from, until: from.add(within), limit }).execute(database.query)
  return rows[0] ?? { count: 0, first: null }
}
