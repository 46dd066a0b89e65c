/** Queries on sign-ins that wait for their browser to come back. */
import type { ColumnType, Kysely } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { timestamp } from '../../gateway/platform/database/sql-fragments.ts'

type Tables = {
  console_sign_ins: {
    state_hash: string
    token_hash: string
    content_sealed: Buffer
    created_at: ColumnType<Temporal.Instant, string, string>
  }
}

/** A sign-in by the digests of its state and of the cookie of its browser. */
export type PendingSignInKey = { readonly stateHash: string; readonly tokenHash: string }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export async function insertPendingSignIn(
  database: Queryable,
  row: PendingSignInKey & { readonly contentSealed: Buffer; readonly createdAt: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .insertInto('console_sign_ins')
    .values({
      state_hash: row.stateHash,
      token_hash: row.tokenHash,
      content_sealed: row.contentSealed,
      created_at: row.createdAt.toString(),
    })
    .execute()
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
