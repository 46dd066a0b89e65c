/** Holds the queries on consents that expire soon; like jobs, they cross partners. */
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

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

/** Consents that expire within a time span, the next first. */
export async function findExpiringConsents(
  { query }: Database<unknown>,
  span: Span,
  limit: number,
): Promise<readonly ExpiringConsent[]> {
  const { rows } = await sql<ExpiringConsent>`
    select p.name as "partnerName", c.id, c.bic, c.country_code as "countryCode", ${RENEWED} as "isRenewed",
      c.organisation_number as "organisationNumber", c.user_id_masked as "userIdMasked", c.valid_until as "validUntil"
    from consents c join partners p on p.id = c.partner_id
    where ${WITHIN(span)}
    order by c.valid_until, c.id limit ${limit}`.execute(query)
  return rows
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
