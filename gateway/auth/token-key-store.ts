/** Holds the queries on the keys that sign access tokens. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'

type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

/** A stored key; the private half is sealed. */
export type StoredTokenKey = {
  readonly kid: string
  readonly publicJwk: Readonly<Record<string, unknown>>
  readonly privateJwkSealed: Buffer
  readonly retiredAt: Temporal.Instant | null
}

type Tables = {
  token_keys: {
    kid: string
    public_jwk: ColumnType<Record<string, unknown>, string>
    private_jwk_sealed: Buffer
    created_at: ColumnType<Temporal.Instant, string>
    retired_at: MaybeInstant
    disabled_at: MaybeInstant
  }
}

const tables = (database: Database<unknown>): Kysely<Tables> => database.query.withTables<Tables>()

/** The keys whose tokens are valid, newest first. */
export async function listTokenKeys({ query }: Database<unknown>): Promise<readonly StoredTokenKey[]> {
  const { rows } = await sql<StoredTokenKey>`
    select kid, public_jwk as "publicJwk", private_jwk_sealed as "privateJwkSealed", retired_at as "retiredAt"
    from token_keys where disabled_at is null order by created_at desc`.execute(query)
  return rows
}

/** Inserts a key and retires the previous ones: they no longer sign, and their tokens are valid until they expire. */
export async function insertTokenKey(
  database: Database<unknown>,
  key: { kid: string; publicJwk: object; privateJwkSealed: Buffer; createdAt: Temporal.Instant },
): Promise<void> {
  const at = key.createdAt.toString()
  await inTransaction({ database }, async (within) => {
    const keys = tables(within.database)
    await keys.updateTable('token_keys').set({ retired_at: at }).where('retired_at', 'is', null).execute()
    await keys
      .insertInto('token_keys')
      .values({
        kid: key.kid,
        public_jwk: JSON.stringify(key.publicJwk),
        private_jwk_sealed: key.privateJwkSealed,
        created_at: at,
      })
      .execute()
  })
}

/** Disables a key: its tokens are rejected within seconds. False when no enabled key has this id. */
export async function disableTokenKey(
  database: Database<unknown>,
  kid: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('token_keys')
    .set({ disabled_at: at.toString(), retired_at: at.toString() })
    .where('kid', '=', kid)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
