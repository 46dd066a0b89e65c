/** The statements by which what a browser brought is handed to the bank once: claimed for a while, and done when the bank has answered. */
import { sql } from 'kysely'
import { type SigningKey, signingTables } from '../authorisations/store/sca-session-tables.ts'
import type { Database } from '../platform/database/database.ts'

/** What was brought to which step. */
export type Brought = { readonly returnHash: string; readonly broughtHash: string }

/** Claims it; false when the bank has answered the same before, or somebody is handing it over. */
export async function claimBrought(
  database: Database<unknown>,
  key: SigningKey,
  { returnHash, broughtHash }: Brought,
  { at, until }: { readonly at: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await signingTables(database)
    .updateTable('signing_steps')
    .set({ brought_hash: broughtHash, brought_until: until.toString() })
    .where('partner_id', '=', key.partnerId)
    .where('signing_id', '=', key.id)
    .where('return_hash', '=', returnHash)
    .where(sql<boolean>`(brought_hash is distinct from ${broughtHash} or brought_until <= ${at.toString()})`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends the claim: the bank has answered it for good, or the same may be brought again. */
export async function endBroughtClaim(
  database: Database<unknown>,
  key: SigningKey,
  { returnHash, broughtHash }: Brought,
  { isAnswered }: { readonly isAnswered: boolean },
): Promise<void> {
  await signingTables(database)
    .updateTable('signing_steps')
    .set({ brought_until: null, ...(isAnswered ? {} : { brought_hash: null }) })
    .where('partner_id', '=', key.partnerId)
    .where('signing_id', '=', key.id)
    .where('return_hash', '=', returnHash)
    .where('brought_hash', '=', broughtHash)
    .execute()
}
