/** Describes onboardings to operators: their list, and the companies that they are of. */
import { sql } from 'kysely'
import type { RecordSource } from '../partners/record-list.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { Onboarding, OnboardingKey } from './store/onboarding.ts'

export const ONBOARDING_ROWS = {
  table: 'onboardings',
  noun: 'onboarding',
  statusColumn: 'status',
  columns: {
    created: 'created_at',
    company: 'organisation_number',
    name: 'organisation_name',
    status: 'status',
    reason: 'status_reason',
  },
} as const satisfies RecordSource

/** The company of an onboarding; its name is null until it is known. */
export type OnboardedCompany = OnboardingKey &
  Pick<Onboarding, 'countryCode' | 'organisationNumber' | 'organisationName'>

/** Those of the onboardings that exist of these keys. */
export async function listOnboardedCompanies(
  { query }: Queryable,
  keys: readonly OnboardingKey[],
): Promise<readonly OnboardedCompany[]> {
  const { rows } = await sql<OnboardedCompany>`
    select b.partner_id as "partnerId", b.id, b.country_code as "countryCode",
      b.organisation_number as "organisationNumber", b.organisation_name as "organisationName"
    from unnest(${keys.map(({ partnerId }) => partnerId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as k (partner_id, id)
      join onboardings b on b.partner_id = k.partner_id and b.id = k.id`.execute(query)
  return rows
}
