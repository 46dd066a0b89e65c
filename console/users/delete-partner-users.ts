/** Deletes the users of partners that the sandbox deletes, when it loads a data set. */
import { sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'

/** Deletes the users of every partner but one, with their passkeys; operators stay. */
export async function deleteUsersOfOtherPartners({ query }: Queryable, keptPartnerId: string): Promise<void> {
  const users = sql`select id from console_users where partner_id <> ${keptPartnerId}`
  await sql`delete from console_sessions where partner_id <> ${keptPartnerId}`.execute(query)
  await sql`delete from console_invitations where user_id in (${users})`.execute(query)
  await sql`delete from console_passkeys where user_id in (${users})`.execute(query)
  await sql`delete from console_users where partner_id <> ${keptPartnerId}`.execute(query)
}
