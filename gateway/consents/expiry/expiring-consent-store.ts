/** Holds the queries on consents that expire soon; like jobs, they cross partners. */
import { type RawBuilder, sql } from 'kysely'
import { countWaiting, PARTNERS, partnerListFilter, type Waiting } from '../../partners/partner-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { timestamp } from '../../platform/database/sql-fragments.ts'

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

type Span = { readonly from: Temporal.Instant; readonly until: Temporal.Instant }

const WITHIN = (span: Span) => sql`
  c.status = 'ACCEPTED' and c.valid_until > ${span.from.toString()}::timestamptz
  and c.valid_until <= ${span.until.toString()}::timestamptz`

/** Users are compared by the masked id; the id itself is sealed. */
const RENEWED = sql`exists (
  select from consents n where n.partner_id = c.partner_id and n.organisation_number = c.organisation_number
    and n.country_code = c.country_code and n.bic = c.bic and n.status = 'ACCEPTED'
    and n.user_id_masked is not distinct from c.user_id_masked and n.valid_until > c.valid_until)`

/** The last consent of the page before. */
export type ExpiringPosition = { readonly validUntil: Temporal.Instant; readonly id: string }

export type ExpiringFilter = Span & {
  /** Null for all partners. */
  readonly partnerId: string | null
  readonly after: ExpiringPosition | undefined
  readonly limit: number
}

/** Consents that expire within a time span, the next first. */
export async function findExpiringConsents(
  { query }: Queryable,
  filter: ExpiringFilter,
): Promise<readonly ExpiringConsent[]> {
  return (await expiringConsentsQuery(filter).execute(query)).rows
}

/** Reads at most a page of each partner. Exported for the test of its plan. */
export function expiringConsentsQuery({
  partnerId,
  after,
  limit,
  ...span
}: ExpiringFilter): RawBuilder<ExpiringConsent> {
  const position =
    after === undefined ? sql`` : sql`and (c.valid_until, c.id) > (${timestamp(after.validUntil)}, ${after.id}::uuid)`
  return sql<ExpiringConsent>`
    select o.name as "partnerName", c.id, c.bic, c.country_code as "countryCode", ${RENEWED} as "isRenewed",
      c.organisation_number as "organisationNumber", c.user_id_masked as "userIdMasked", c.valid_until as "validUntil",
      c.agreement as "isAgreement"
    from ${PARTNERS}, lateral (
      select * from consents c where c.partner_id = o.id and ${WITHIN(span)} ${position}
      order by c.valid_until, c.id limit ${limit}) c
    where ${partnerListFilter(partnerId)}
    order by c.valid_until, c.id limit ${limit}`
}

/** How many of one partner or of all expire within a time span, at most `limit` of each, and when the first does. */
export async function countExpiring(
  database: Queryable,
  { partnerId, limit, ...span }: Omit<ExpiringFilter, 'after'>,
): Promise<Waiting> {
  const expiring = sql`
    select valid_until as at from consents c where c.partner_id = o.id and ${WITHIN(span)}
    order by c.valid_until, c.id limit ${limit}`
  return await countWaiting(database, partnerId, expiring)
}

/** How many expire within a time span and have not been renewed, by bank. */
export async function countExpiringConsents(
  { query }: Database<unknown>,
  span: Span,
): Promise<readonly { readonly bic: string; readonly count: bigint }[]> {
  const { rows } = await sql<{ bic: string; count: bigint }>`
    select c.bic, count(*) as count from consents c where ${WITHIN(span)} and not ${RENEWED} group by c.bic`.execute(
    query,
  )
  return rows
}
