/** Describes consents to operators: their list, whose they are, and the masked ids of their users. */
import { sql } from 'kysely'
import type { CompanySource, RecordSource } from '../partners/record-list.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'

/** Without agreements, which no user has given. */
export const CONSENT_ROWS = {
  table: 'consents',
  noun: 'consent',
  where: sql`not agreement`,
  statusColumn: 'status',
  columns: {
    created: 'created_at',
    bank: 'bic',
    company: 'organisation_number',
    user: 'user_id_masked',
    status: 'status',
    reason: 'status_reason',
    validUntil: 'valid_until',
  },
} as const satisfies RecordSource

/** The company of a record that was made under a consent. */
export const COMPANY_OF_CONSENT: CompanySource = { table: 'consents', key: 'consent_id' }

/** The masked ids of the users of consents, by the consents' ids; without those that their bank does not report. */
export async function findMaskedUsers(
  { query }: Queryable,
  partnerId: string,
  consentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; user: string }>`
    select id, user_id_masked as "user" from consents
    where partner_id = ${partnerId} and id = any(${[...consentIds]}::uuid[]) and user_id_masked is not null`.execute(
    query,
  )
  return new Map(rows.map(({ id, user }) => [id, user]))
}

/** Those of a developer's first steps, among so many of the newest consents. */
type NewestConsents = {
  readonly exists: boolean
  /** The newest one that its user has not decided on. */
  readonly requested: string | null
  readonly accepted: string | null
}

export async function findNewestConsents(
  { query }: Queryable,
  partnerId: string,
  among: number,
): Promise<NewestConsents> {
  const newest = (status: string) => sql`
    (select id from recent where status = ${status} order by created_at desc, id desc limit 1)`
  const { rows } = await sql<NewestConsents>`
    with recent as materialized (
      select id, status, created_at from consents where partner_id = ${partnerId}::uuid
      order by created_at desc, id desc limit ${among})
    select exists (select from recent) as "exists", ${newest('AUTHORIZATION_REQUIRED')} as requested,
      ${newest('ACCEPTED')} as accepted`.execute(query)
  return rows[0] ?? { exists: false, requested: null, accepted: null }
}
