/** Holds the queries on tokens of banks with an authorisation server. */

import { type Kysely, sql, type Transaction } from 'kysely'
import { rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import { type LeasableRow, type Lease, releaseLease, takeLease } from '../../platform/jobs/lease.ts'

/** The consent or payment that tokens give access to. */
export type BankTokenKey = { readonly partnerId: string; readonly subjectId: string }

/** The tokens of one grant, which may cover several payments. */
export type GrantKey = { readonly partnerId: string; readonly id: string }

/** Stored tokens. */
export type StoredTokens = GrantKey & { readonly tokensSealed: Buffer; readonly expiresAt: Temporal.Instant }

type Tables = {
  bank_tokens: TableOf<StoredTokens>
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
  tokens: StoredTokens,
  subjectIds: readonly string[],
): Promise<void> {
  const { partnerId, id } = tokens
  await inTransaction({ database }, async ({ database: { query } }) => {
    const tables = query.withTables<Tables>()
    await tables
      .insertInto('bank_tokens')
      .values(rowOf(tokens))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await deleteTokens(query, partnerId, subjectIds, id)
    await tables
      .insertInto('bank_token_subjects')
      .values(subjectIds.map((subjectId) => ({ partner_id: partnerId, subject_id: subjectId, token_id: id })))
      .onConflict((conflict) => conflict.columns(['partner_id', 'subject_id']).doUpdateSet({ token_id: id }))
      .execute()
  })
}

/** Stores renewed tokens, and releases the lease. */
export async function updateTokens(
  database: Queryable,
  { tokensSealed, expiresAt, ...grant }: StoredTokens,
): Promise<void> {
  await releaseLease(database, grantRowOf(grant), { set: rowOf({ tokensSealed, expiresAt }) })
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

/** A page of what has tokens, in the order of the key. */
export async function listTokenSubjects(
  { query }: Queryable,
  after: BankTokenKey | undefined,
  limit: number,
): Promise<readonly BankTokenKey[]> {
  const isAfter = after && sql`where (partner_id, subject_id) > (${after.partnerId}::uuid, ${after.subjectId}::uuid)`
  const { rows } = await sql<BankTokenKey>`
    select partner_id as "partnerId", subject_id as "subjectId" from bank_token_subjects ${isAfter ?? sql``}
    order by partner_id, subject_id limit ${limit}`.execute(query)
  return rows
}

/** Acquires the lease to renew these tokens; false while another process holds it, or has renewed them. */
export async function acquireRenewalLease(
  database: Queryable,
  { tokensSealed, ...grant }: StoredTokens,
  lease: Lease,
): Promise<boolean> {
  return await takeLease(database, grantRowOf(grant), lease, { where: sql<boolean>`tokens_sealed = ${tokensSealed}` })
}

export async function releaseRenewalLease(database: Queryable, grant: GrantKey): Promise<void> {
  await releaseLease(database, grantRowOf(grant))
}

function grantRowOf({ partnerId, id }: GrantKey): LeasableRow {
  return { table: 'bank_tokens', key: { partner_id: partnerId, id } }
}

/** Deletes the tokens of a grant that has ended, for all its subjects. Tokens of a newer grant stay. */
export async function deleteGrant({ query }: Database<unknown>, { partnerId, id }: GrantKey): Promise<void> {
  await query
    .withTables<Tables>()
    .deleteFrom('bank_tokens')
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

/** Deletes, in a transaction, the assignments of these subjects, and tokens without any left but `keptId`. */
export async function deleteTokens(
  database: Queries,
  partnerId: string,
  subjectIds: readonly string[],
  keptId?: string,
): Promise<void> {
  const tables = database.withTables<Tables>()
  const deleted = await tables
    .deleteFrom('bank_token_subjects')
    .where('partner_id', '=', partnerId)
    .where('subject_id', 'in', [...subjectIds])
    .returning('token_id')
    .execute()
  const ids = deleted.map(({ token_id }) => token_id).filter((id) => id !== keptId)
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
}
