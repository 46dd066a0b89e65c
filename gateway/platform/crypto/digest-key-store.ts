/** Queries on the key of digests, of which a database has one. */
import type { Database } from '../database/database.ts'

const NAME = 'content'

/** The sealed key; undefined in a new database. */
export async function findDigestKey({ pool }: Pick<Database<unknown>, 'pool'>): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ sealed: Buffer }>(
    'select key_sealed as sealed from digest_keys where name = $1',
    [NAME],
  )
  return rows[0]?.sealed
}

/** Stores a sealed key, unless there is one. */
export async function insertDigestKey(
  { pool }: Pick<Database<unknown>, 'pool'>,
  sealed: Buffer,
  at: Temporal.Instant,
): Promise<void> {
  await pool.query(
    'insert into digest_keys (name, key_sealed, created_at) values ($1, $2, $3) on conflict (name) do nothing',
    [NAME, sealed, at.toString()],
  )
}
