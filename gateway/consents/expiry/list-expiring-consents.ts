/** Lists and counts consents that expire soon. */

import type { Context } from '../../context.ts'
import type { Waiting } from '../../partners/partner-rows.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { EXPIRY_NOTICE_PERIOD } from '../consent.ts'
import {
  countExpiring,
  type ExpiringConsent,
  type ExpiringPosition,
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
): Promise<Waiting> {
  const from = clock.now()
  return await countExpiring(database, { partnerId, from, until: from.add(within), limit })
}
