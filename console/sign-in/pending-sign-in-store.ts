/** Queries on sign-ins that wait for their browser to come back. */
import type { Kysely } from 'kysely'
import { rowOf, type TableOf } from '../../gateway/platform/database/columns.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { timestamp } from '../../gateway/platform/database/sql-fragments.ts'

/** A sign-in by the digests of its state and of the cookie of its browser. */
export type PendingSignInKey = { readonly stateHash: string; readonly tokenHash: string }

type PendingSignInRow = PendingSignInKey & { readonly contentSealed: Buffer; readonly createdAt: Temporal.Instant }

type Tables = { console_sign_ins: TableOf<PendingSignInRow> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export async function insertPendingSignIn(database: Queryable, row: PendingSignInRow): Promise<void> {
  await tables(database).insertInto('console_sign_ins').values(rowOf(row)).execute()
}

/** Deletes a sign-in that began after a time, and returns its content: it is used once. */
export async function takePendingSignIn(
  database: Queryable,
  { stateHash, tokenHash }: PendingSignInKey,
  createdAfter: Temporal.Instant,
): Promise<Buffer | undefined> {
  const row = await tables(database)
    .deleteFrom('console_sign_ins')
    .where('state_hash', '=', stateHash)
    .where('token_hash', '=', tokenHash)
    .where('created_at', '>', timestamp(createdAfter))
    .returning('content_sealed')
    .executeTakeFirst()
  return row?.content_sealed
}

export async function deletePendingSignInsBefore(database: Queryable, time: Temporal.Instant): Promise<void> {
  await tables(database).deleteFrom('console_sign_ins').where('created_at', '<=', timestamp(time)).execute()
}
