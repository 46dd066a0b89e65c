/** Queries on passkeys. */
import type { ColumnType, Kysely } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../../gateway/platform/database/columns.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'

/** A passkey. All times are wall time. */
export type Passkey = {
  /** As its authenticator names it, in base64url. */
  readonly credentialId: string
  readonly userId: string
  /** COSE key in base64url. */
  readonly publicKey: string
  readonly signatureCount: number
  /** How browsers reach the authenticator, e.g. `internal`. */
  readonly transports: readonly string[]
  readonly createdAt: Temporal.Instant
  readonly lastUsedAt: Temporal.Instant | null
}

/** What its authenticator says of a new one. */
export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'signatureCount' | 'transports'>

type Tables = {
  console_passkeys: TableOf<Omit<Passkey, 'signatureCount'>> & { signature_count: ColumnType<string, number, number> }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Inserts a passkey; false when there is one with this id. */
export async function insertPasskey(database: Queryable, passkey: Passkey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(database)
    .insertInto('console_passkeys')
    .values(rowOf(passkey))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const PASSKEY = columnsOf(
  'credentialId',
  'userId',
  'publicKey',
  'signatureCount',
  'transports',
  'createdAt',
  'lastUsedAt',
)

export async function findPasskey(database: Queryable, credentialId: string): Promise<Passkey | undefined> {
  const row = await tables(database)
    .selectFrom('console_passkeys')
    .select(PASSKEY)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row && { ...row, signatureCount: Number(row.signatureCount) }
}

/** The passkeys of a user, the oldest first. */
export async function listPasskeys(database: Queryable, userId: string): Promise<readonly Passkey[]> {
  const rows = await tables(database)
    .selectFrom('console_passkeys')
    .select(PASSKEY)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({ ...row, signatureCount: Number(row.signatureCount) }))
}

export async function recordPasskeyUse(
  database: Queryable,
  {
    credentialId,
    signatureCount,
    at,
  }: Pick<Passkey, 'credentialId' | 'signatureCount'> & { readonly at: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .updateTable('console_passkeys')
    .set({ signature_count: signatureCount, last_used_at: at.toString() })
    .where('credential_id', '=', credentialId)
    .execute()
}

/** Deletes all passkeys of a user. */
export async function deletePasskeys(database: Queryable, userId: string): Promise<void> {
  await tables(database).deleteFrom('console_passkeys').where('user_id', '=', userId).execute()
}

/** Deletes one passkey of a user; false when there is none with this id, or no other one. */
export async function deletePasskey(
  database: Queryable,
  { userId, credentialId }: Pick<Passkey, 'userId' | 'credentialId'>,
): Promise<boolean> {
  const { numDeletedRows } = await tables(database)
    .deleteFrom('console_passkeys')
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('console_passkeys as other')
          .select('other.credential_id')
          .where('other.user_id', '=', userId)
          .where('other.credential_id', '<>', credentialId),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows === 1n
}
