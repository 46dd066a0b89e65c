/** Deletes partners, and what they have done with their credentials, where the sandbox loads a data set. */
import { sql } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'

/** Developers begin their first steps again. */
export async function clearFirstTokens({ query }: Queryable): Promise<void> {
  await sql`update clients set first_token_at = null`.execute(query)
}

/** Enables a partner with one of its clients, whose only secret is this one: whatever was disabled or rotated. */
export async function restoreClient(
  { query }: Queryable,
  { partnerId, clientId, secretHash }: { readonly [Part in 'partnerId' | 'clientId' | 'secretHash']: string },
): Promise<void> {
  await sql`update partners set disabled_at = null where id = ${partnerId}`.execute(query)
  await sql`
    update clients set disabled_at = null, secret_hash = ${secretHash},
      secret_number = secret_number + (secret_hash <> ${secretHash})::int, former_secret_hash = null, former_secret_ends_at = null
    where partner_id = ${partnerId} and client_id = ${clientId}`.execute(query)
}

/** Deletes every partner but one, with its credentials. */
export async function deleteOtherPartners({ query }: Queryable, keptPartnerId: string): Promise<void> {
  await sql`delete from clients where partner_id <> ${keptPartnerId}`.execute(query)
  await sql`delete from partners where id <> ${keptPartnerId}`.execute(query)
}
