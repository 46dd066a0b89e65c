/** Queries on the console's sessions. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'
import { rowOf, type TableOf } from '../../gateway/platform/database/columns.ts'
import { executePrepared, type Queryable } from '../../gateway/platform/database/in-transaction.ts'
import {
  type ConsoleSession,
  type ConsoleUser,
  SUBJECT_PREFIX,
  type sessionLimitsAt,
  userIdOf,
} from '../access/console-session.ts'

type Limits = ReturnType<typeof sessionLimitsAt>
type SessionRow = ConsoleSession & { readonly passkeyId: string | null; readonly userId: string | null }
type Tables = { console_sessions: TableOf<SessionRow>; console_users: { id: string } }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export async function insertSession(database: Queryable, session: ConsoleSession): Promise<void> {
  const row = { ...session, passkeyId: session.passkeyId ?? null, userId: userIdOf(session) ?? null }
  await tables(database).insertInto('console_sessions').values(rowOf(row)).execute()
}

/** The session with this token, within these limits. */
export async function findSession(
  database: Queryable,
  tokenHash: string,
  limits: Limits,
): Promise<ConsoleSession | undefined> {
  // Every request of the console reads it.
  const session = openSessions(database, limits).where('s.token_hash', '=', tokenHash)
  return (await executePrepared<ConsoleSession>(database, session)).rows[0]
}

/** The sessions of a user that have not ended, the latest first. */
export async function listSessions(
  database: Queryable,
  { subject }: Pick<ConsoleUser, 'subject'>,
  limits: Limits,
): Promise<readonly ConsoleSession[]> {
  return await openSessions(database, limits).where('s.subject', '=', subject).orderBy('s.created_at', 'desc').execute()
}

/** The sessions of all users that have not ended, those last used first. */
export async function listAllSessions(
  database: Queryable,
  limits: Limits,
  limit: number,
): Promise<readonly ConsoleSession[]> {
  return await openSessions(database, limits).orderBy('s.last_used_at', 'desc').orderBy('s.id').limit(limit).execute()
}

/** The session with this id, unless it has ended. */
export async function findSessionById(
  database: Queryable,
  id: string,
  limits: Limits,
): Promise<ConsoleSession | undefined> {
  return await openSessions(database, limits).where('s.id', '=', id).executeTakeFirst()
}

/**
 * Users who sign in with passkeys have the name, partner and roles that they have now, and no session without the
 * passkey that it began with: what ends a credential ends its sessions, however the two coincide.
 */
function openSessions(database: Queryable, limits: Limits) {
  return tables(database)
    .selectFrom('console_sessions as s')
    .leftJoin('console_users as u', 'u.id', 's.user_id')
    .select([
      's.id',
      's.token_hash as tokenHash',
      's.subject',
      's.passkey_id as passkeyId',
      's.user_agent as userAgent',
      's.created_at as createdAt',
      's.last_used_at as lastUsedAt',
      sql<Temporal.Instant>`coalesce(s.roles_read_at, s.created_at)`.as('rolesReadAt'),
      sql<string>`coalesce(u.name, s.name)`.as('name'),
      sql<string | null>`case when u.id is null then s.partner_id else u.partner_id end`.as('partnerId'),
      sql<ConsoleRole[]>`coalesce(u.roles, s.roles)`.as('roles'),
    ])
    .where(isWithin(limits))
    .where(
      sql<boolean>`(not starts_with(s.subject, ${SUBJECT_PREFIX}) or exists (
        select from console_passkeys k
        where k.credential_id = s.passkey_id and k.user_id = u.id and u.disabled_at is null))`,
    )
}

/** Records what the identity provider says of the user now. */
export async function updateSessionUser(
  database: Queryable,
  id: string,
  { name, partnerId, roles }: ConsoleUser,
  at: Temporal.Instant,
): Promise<void> {
  await tables(database)
    .updateTable('console_sessions')
    .set({ name, partner_id: partnerId, roles, roles_read_at: at.toString() })
    .where('id', '=', id)
    .execute()
}

/** Records that a session is in use. */
export async function recordSessionUse(database: Queryable, id: string, at: Temporal.Instant): Promise<void> {
  await tables(database)
    .updateTable('console_sessions')
    .set({ last_used_at: at.toString() })
    .where('id', '=', id)
    .execute()
}

/** Deletes the session of a user with this id, all but the one with that id, or all of them; returns how many there were. */
export async function deleteSessions(
  database: Queryable,
  { subject }: Pick<ConsoleSession, 'subject'>,
  which: 'all' | { readonly id: string } | { readonly butId: string },
): Promise<number> {
  const deletion = tables(database).deleteFrom('console_sessions').where('subject', '=', subject)
  const { numDeletedRows } = await (which === 'all'
    ? deletion
    : 'id' in which
      ? deletion.where('id', '=', which.id)
      : deletion.where('id', '<>', which.butId)
  ).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes the sessions of all users that are outside these limits. */
export async function deleteSessionsBefore(database: Queryable, limits: Limits): Promise<void> {
  await tables(database)
    .deleteFrom('console_sessions as s')
    .where(sql<boolean>`not (${isWithin(limits)})`)
    .execute()
}

function isWithin({ createdAfter, lastUsedAfter }: Limits): RawBuilder<boolean> {
  return sql<boolean>`s.created_at > ${createdAfter.toString()}::timestamptz and s.last_used_at > ${lastUsedAfter.toString()}::timestamptz`
}
