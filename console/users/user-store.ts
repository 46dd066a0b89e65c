/** Queries on users who sign in with passkeys, and their invitations. */
import { type Kysely, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../../gateway/platform/database/columns.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { timestamp } from '../../gateway/platform/database/sql-fragments.ts'
import type { UserAccount } from './user-account.ts'

type Tables = {
  console_users: TableOf<UserAccount>
  console_invitations: TableOf<{
    readonly userId: string
    readonly tokenHash: string
    readonly createdAt: Temporal.Instant
  }>
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const USER = columnsOf('id', 'name', 'partnerId', 'roles', 'createdAt', 'disabledAt')

/** Inserts a user, or enables a disabled one of this name with the new roles; undefined when the name is in use. */
export async function upsertUser(database: Queryable, user: UserAccount): Promise<UserAccount | undefined> {
  const row = rowOf(user)
  return await tables(database)
    .insertInto('console_users')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ partner_id: row.partner_id, roles: row.roles, disabled_at: null })
        .where('console_users.disabled_at', 'is not', null),
    )
    .returning(USER)
    .executeTakeFirst()
}

/** All users by name, disabled ones included. */
export async function listUsers(database: Queryable): Promise<readonly UserAccount[]> {
  return await tables(database).selectFrom('console_users').select(USER).orderBy('name').execute()
}

const activeUsers = (database: Queryable) =>
  tables(database).selectFrom('console_users').select(USER).where('disabled_at', 'is', null)

/** The user who is not disabled. */
export async function findActiveUser(database: Queryable, id: string): Promise<UserAccount | undefined> {
  return await activeUsers(database).where('id', '=', id).executeTakeFirst()
}

/** The same, while no other transaction changes the user or their passkeys. */
export async function lockActiveUser(database: Queryable, id: string): Promise<UserAccount | undefined> {
  return await activeUsers(database).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Disables a user; undefined when there is none, or they are disabled. */
export async function disableUserRow(
  database: Queryable,
  id: string,
  at: Temporal.Instant,
): Promise<UserAccount | undefined> {
  return await tables(database)
    .updateTable('console_users')
    .set({ disabled_at: at.toString() })
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .returning(USER)
    .executeTakeFirst()
}

/** Replaces the former invitation of the user. */
export async function upsertInvitation(
  database: Queryable,
  { userId, tokenHash, at }: { readonly userId: string; readonly tokenHash: string; readonly at: Temporal.Instant },
): Promise<void> {
  const values = { token_hash: tokenHash, created_at: at.toString() }
  await tables(database)
    .insertInto('console_invitations')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** The user of an invitation that was made after a time; undefined also for one who is disabled. */
export async function findInvitedUser(
  database: Queryable,
  tokenHash: string,
  createdAfter: Temporal.Instant,
): Promise<UserAccount | undefined> {
  return await activeUsers(database)
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('console_invitations')
        .select('user_id')
        .where('token_hash', '=', tokenHash)
        .where('console_invitations.created_at', '>', timestamp(createdAfter)),
    )
    .executeTakeFirst()
}

/** Deletes an invitation; false when it is gone already. */
export async function deleteInvitation(database: Queryable, userId: string, tokenHash?: string): Promise<boolean> {
  const deletion = tables(database).deleteFrom('console_invitations').where('user_id', '=', userId)
  const { numDeletedRows } = await (tokenHash === undefined
    ? deletion
    : deletion.where('token_hash', '=', tokenHash)
  ).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes the users of every partner but one, with their passkeys; operators stay. */
export async function deleteUsersOfOtherPartners({ query }: Queryable, keptPartnerId: string): Promise<void> {
  const users = sql`select id from console_users where partner_id <> ${keptPartnerId}`
  await sql`delete from console_sessions where partner_id <> ${keptPartnerId}`.execute(query)
  await sql`delete from console_invitations where user_id in (${users})`.execute(query)
  await sql`delete from console_passkeys where user_id in (${users})`.execute(query)
  await sql`delete from console_users where partner_id <> ${keptPartnerId}`.execute(query)
}
