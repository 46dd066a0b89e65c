/** Finds onboardings of one partner, or of all for operators. */
import { sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'

/** The partner of an onboarding that the user may see; undefined for an unknown id. */
export async function findPartnerOfOnboarding(
  database: Queryable,
  partnerId: string | null,
  id: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    select o.id, o.name from partners o, lateral (
      select 1 from onboardings where partner_id = o.id and id = ${id}::uuid) x
    where ${partnerListFilter(partnerId)}`.execute(database.query)
  return rows[0]
}
