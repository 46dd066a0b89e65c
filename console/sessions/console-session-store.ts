/** Queries on the console's sessions. */
import { type ColumnType, type Kysely, type RawBuilder, sql } from 'kysely'
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import type { ConsoleSession, ConsoleUser, sessionLimitsAt } from './console-session.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type Limits = ReturnType<typeof sessionLimitsAt>

type Tables = {
  console_sessions: {
    id: string
    token_hash: string
    subject: string
    name: string
    partner_id: string | null
    roles: ColumnType<ConsoleRole[], readonly ConsoleRole[]>
    user_agent: string
    created_at: Instant
    last_used_at: Instant
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const SESSION = [
  'id',
  'token_hash as tokenHash',
  'subject',
  'name',
  'partner_id as partnerId',
  'roles',
  'user_agent as userAgent',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

/** Inserts a session. */
export async function insertSession(database: Queryable, session: ConsoleSession): Promise<void> {
  await tables(database)
    .insertInto('console_sessions')
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      subject: session.subject,
      name: session.name,
      partner_id: session.partnerId,
      roles: session.roles,
      user_agent: session.userAgent,
      created_at: session.createdAt.toString(),
      last_used_at: session.lastUsedAt.toString(),
    })
    .execute()
}

/** The session with this token, within these limits. */
export async function findSession(
  database: Queryable,
  tokenHash: string,
  limits: Limits,
): Promise<ConsoleSession | undefined> {
  return await tables(database)
    .selectFrom('console_sessions')
    .select(SESSION)
    .where('token_hash', '=', tokenHash)
    .where(isWithin(limits))
    .executeTakeFirst()
}

/** The sessions of a user that have not ended, the latest first. */
export async function listSessions(
  database: Queryable,
  { subject }: Pick<ConsoleUser, 'subject'>,
  limits: Limits,
): Promise<readonly ConsoleSession[]> {
  return await tables(database)
    .selectFrom('console_sessions')
    .select(SESSION)
    .where('subject', '=', subject)
    .where(isWithin(limits))
    .orderBy('created_at', 'desc')
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

/** Deletes a session of a user; false when there is none. */
export async function deleteSession(
  database: Queryable,
  { subject, id }: Pick<ConsoleSession, 'subject' | 'id'>,
): Promise<boolean> {
  const { numDeletedRows } = await tables(database)
    .deleteFrom('console_sessions')
    .where('subject', '=', subject)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes a user's sessions but this one. */
export async function deleteOtherSessions(
  database: Queryable,
  { subject, id }: Pick<ConsoleSession, 'subject' | 'id'>,
): Promise<void> {
  await tables(database).deleteFrom('console_sessions').where('subject', '=', subject).where('id', '<>', id).execute()
}

/** Deletes all sessions of a user. */
export async function deleteSessionsOf(
  database: Queryable,
  { subject }: Pick<ConsoleSession, 'subject'>,
): Promise<void> {
  await tables(database).deleteFrom('console_sessions').where('subject', '=', subject).execute()
}

/** Deletes the sessions of all users that are outside these limits. */
export async function deleteSessionsBefore(database: Queryable, limits: Limits): Promise<void> {
  await tables(database)
    .deleteFrom('console_sessions')
    .where(sql<boolean>`not (${isWithin(limits)})`)
    .execute()
}

function isWithin({ createdAfter, lastUsedAfter }: Limits): RawBuilder<boolean> {
  return sql<boolean>`created_at > ${createdAfter.toString()}::timestamptz and last_used_at > ${lastUsedAfter.toString()}::timestamptz`
}
