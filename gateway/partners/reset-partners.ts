/** Deletes partners, and what they have done with their credentials, where the sandbox loads a data set. */
import { sql } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'

/** Developers begin their first steps again. */
export async function clearFirstTokens({ query }: Queryable): Promise<void> {
  await sql`update clients set first_token_at = null`.execute(query)
}

/** Deletes every partner but one, with its credentials. */
export async function deleteOtherPartners({ query }: Queryable, keptPartnerId: string): Promise<void> {
  await sql`delete from clients where partner_id <> ${keptPartnerId}`.execute(query)
  await sql`delete from partners where id <> ${keptPartnerId}`.execute(query)
}
