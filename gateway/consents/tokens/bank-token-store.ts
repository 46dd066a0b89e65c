/** Holds the queries on tokens of banks with an authorisation server. */
import { type ColumnType, type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

/** The consent or payment that tokens give access to. */
export type BankTokenKey = { readonly partnerId: string; readonly subjectId: string }

/** The tokens of one grant, which may cover several payments. */
export type GrantKey = { readonly partnerId: string; readonly id: string }

/** Stored tokens. */
export type StoredTokens = GrantKey & { readonly tokensSealed: Buffer; readonly expiresAt: Temporal.Instant }

type Tables = {
  bank_tokens: {
    partner_id: string
    id: string
    tokens_sealed: Buffer
    expires_at: ColumnType<Temporal.Instant, string, string>
    lease_until: ColumnType<Temporal.Instant | null, string | null | undefined, string | null>
  }
  bank_token_subjects: { partner_id: string; subject_id: string; token_id: string }
}
type Queries = Kysely<unknown> | Transaction<unknown>

const TOKEN_COLUMNS = [
  'bank_tokens.partner_id as partnerId',
  'bank_tokens.id',
  'tokens_sealed as tokensSealed',
  'expires_at as expiresAt',
] as const

/** Stores the tokens of a new grant for all its subjects, replacing earlier ones. Idempotent. */
export async function insertTokens(
  database: Database<unknown>,
  { partnerId, id, tokensSealed, expiresAt }: StoredTokens,
  subjectIds: readonly string[],
): Promise<void> {
  await database.query.transaction().execute(async (transaction) => {
    const tables = transaction.withTables<Tables>()
    await tables
      .insertInto('bank_tokens')
      .values({ partner_id: partnerId, id, tokens_sealed: tokensSealed, expires_at: expiresAt.toString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await deleteSubjects(transaction, partnerId, subjectIds, id)
    await tables
      .insertInto('bank_token_subjects')
      .values(subjectIds.map((subjectId) => ({ partner_id: partnerId, subject_id: subjectId, token_id: id })))
      .onConflict((conflict) => conflict.columns(['partner_id', 'subject_id']).doUpdateSet({ token_id: id }))
      .execute()
  })
}

/** Stores renewed tokens, and releases the lease. */
export async function updateTokens(
  database: Database<unknown>,
  { tokensSealed, expiresAt, ...key }: StoredTokens,
): Promise<void> {
  await updateGrant(database, key, {
    tokens_sealed: tokensSealed,
    expires_at: expiresAt.toString(),
    lease_until: null,
  })
}

/** The tokens of a subject. */
export async function findTokens(
  { query }: Database<unknown>,
  { partnerId, subjectId }: BankTokenKey,
): Promise<StoredTokens | undefined> {
  return await query
    .withTables<Tables>()
    .selectFrom('bank_token_subjects')
    .innerJoin('bank_tokens', (join) =>
      join
        .onRef('bank_tokens.partner_id', '=', 'bank_token_subjects.partner_id')
        .onRef('bank_tokens.id', '=', 'bank_token_subjects.token_id'),
    )
    .select(TOKEN_COLUMNS)
    .where('bank_token_subjects.partner_id', '=', partnerId)
    .where('subject_id', '=', subjectId)
    .executeTakeFirst()
}

/** Acquires the renewal lease; undefined while another process holds it, or has renewed the tokens. */
export async function acquireRenewalLease(
  { query }: Database<unknown>,
  { partnerId, id, tokensSealed }: StoredTokens,
  times: { readonly real: Temporal.Instant; readonly leaseUntil: Temporal.Instant },
): Promise<StoredTokens | undefined> {
  return await query
    .withTables<Tables>()
    .updateTable('bank_tokens')
    .set({ lease_until: times.leaseUntil.toString() })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('tokens_sealed', '=', tokensSealed)
    .where(sql<boolean>`(lease_until is null or lease_until <= ${times.real.toString()})`)
    .returning(TOKEN_COLUMNS)
    .executeTakeFirst()
}

/** Releases the renewal lease. */
export async function releaseRenewalLease(database: Database<unknown>, key: GrantKey): Promise<void> {
  await updateGrant(database, key, { lease_until: null })
}

/** Deletes the assignments of these subjects, and tokens without any left. True when there were any. */
export async function deleteTokens(
  database: Queries,
  partnerId: string,
  subjectIds: readonly string[],
): Promise<boolean> {
  return await deleteSubjects(database, partnerId, subjectIds, null)
}

/** The tokens `storedId` are not deleted. */
async function deleteSubjects(
  database: Queries,
  partnerId: string,
  subjectIds: readonly string[],
  storedId: string | null,
): Promise<boolean> {
  const tables = database.withTables<Tables>()
  const deleted = await tables
    .deleteFrom('bank_token_subjects')
    .where('partner_id', '=', partnerId)
    .where('subject_id', 'in', [...subjectIds])
    .returning('token_id')
    .execute()
  const ids = deleted.map(({ token_id }) => token_id).filter((id) => id !== storedId)
  if (ids.length > 0) {
    await tables
      .deleteFrom('bank_tokens')
      .where('partner_id', '=', partnerId)
      .where('id', 'in', ids)
      .where(
        sql<boolean>`not exists (select from bank_token_subjects s where s.partner_id = bank_tokens.partner_id and s.token_id = bank_tokens.id)`,
      )
      .execute()
  }
  return deleted.length > 0
}

type Change = { tokens_sealed?: Buffer; expires_at?: string; lease_until: null }

async function updateGrant({ query }: Database<unknown>, { partnerId, id }: GrantKey, change: Change): Promise<void> {
  await query
    .withTables<Tables>()
    .updateTable('bank_tokens')
    .set(change)
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}
