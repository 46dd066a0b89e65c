/** Lists and counts consents that expire soon; like jobs, the queries cross partners. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { countWaiting, PARTNERS, partnerListFilter, type Waiting } from '../../partners/partner-rows.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { EXPIRY_NOTICE_PERIOD } from '../consent.ts'

/** A consent in force that expires soon, for operators. */
export type ExpiringConsent = {
  readonly partnerName: string
  readonly id: string
  readonly bic: string
  readonly countryCode: string
  readonly organisationNumber: string
  readonly userIdMasked: string | null
  readonly validUntil: Temporal.Instant
  /** Whether its partner has one that expires later for what appears to be the same user: then no renewal is needed. */
  readonly isRenewed: boolean
  /** Whether it is an agreement with a bank that accepts files. */
  readonly isAgreement: boolean
}

/** The consents `c` in force that expire within a time from now. */
function expiringWithin({ clock }: Pick<ProgramContext, 'clock'>, within: Temporal.DurationLike): RawBuilder<unknown> {
  const now = clock.now()
  return sql`c.status = 'ACCEPTED' and c.valid_until > ${timestamp(now)} and c.valid_until <= ${timestamp(now.add(within))}`
}

/** Users are compared by the masked id; the id itself is sealed. */
const RENEWED = sql`exists (
  select from consents n where n.partner_id = c.partner_id and n.organisation_number = c.organisation_number
    and n.country_code = c.country_code and n.bic = c.bic and n.status = 'ACCEPTED'
    and n.user_id_masked is not distinct from c.user_id_masked and n.valid_until > c.valid_until)`

/** The last consent of the page before. */
export type ExpiringPosition = { readonly validUntil: Temporal.Instant; readonly id: string }

type ExpiringRequest = {
  /** Null for all partners. */
  readonly partnerId: string | null
  readonly within: Temporal.DurationLike
  readonly after?: ExpiringPosition | undefined
  readonly limit: number
}

/** A longer list would not be read. */
const LISTED_MAX = 1_000

/**
 * By default those of all partners with the notice `CONSENT_EXPIRING`; the next to expire first. Reads at most a page of
 * each partner.
 */
export async function listExpiringConsents(
  context: ProgramContext,
  { partnerId, within, after, limit }: ExpiringRequest = {
    partnerId: null,
    within: EXPIRY_NOTICE_PERIOD,
    limit: LISTED_MAX,
  },
): Promise<readonly ExpiringConsent[]> {
  const position =
    after === undefined ? sql`` : sql`and (c.valid_until, c.id) > (${timestamp(after.validUntil)}, ${after.id}::uuid)`
  const { rows } = await sql<ExpiringConsent>`
    select o.name as "partnerName", c.id, c.bic, c.country_code as "countryCode", ${RENEWED} as "isRenewed",
      c.organisation_number as "organisationNumber", c.user_id_masked as "userIdMasked", c.valid_until as "validUntil",
      c.agreement as "isAgreement"
    from ${PARTNERS}, lateral (
      select * from consents c where c.partner_id = o.id and ${expiringWithin(context, within)} ${position}
      order by c.valid_until, c.id limit ${limit}) c
    where ${partnerListFilter(partnerId)}
    order by c.valid_until, c.id limit ${limit}`.execute(context.database.query)
  return rows
}

/** How many there are, at most `limit` of each partner, and when the first of them expires. */
export async function countConsentsThatExpire(
  context: Context,
  { partnerId, within, limit }: Omit<ExpiringRequest, 'after'>,
): Promise<Waiting> {
  const expiring = sql`
    select valid_until as at from consents c where c.partner_id = o.id and ${expiringWithin(context, within)}
    order by c.valid_until, c.id limit ${limit}`
  return await countWaiting(context.database, partnerId, expiring)
}

/** Updates the gauge of consents that expire soon and are not renewed, by bank; banks without them are left out. */
export async function updateConsentMetrics(context: Context): Promise<void> {
  const { database, metrics } = context
  const { rows } = await sql<{ bic: string; count: bigint }>`
    select c.bic, count(*) as count from consents c
    where ${expiringWithin(context, EXPIRY_NOTICE_PERIOD)} and not ${RENEWED} group by c.bic`.execute(database.query)
  metrics.expiringConsents.reset()
  for (const { bic, count } of rows) {
    metrics.expiringConsents.set({ bank: bic }, Number(count))
  }
}
