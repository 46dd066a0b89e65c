/** Every query on the tokens that banks with an authorisation server have given us. */
import { type ColumnType, type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

/** The consent or payment that tokens open. */
export type TokenKey = { readonly partnerId: string; readonly subjectId: string }

/** The tokens of one grant, which may open several payments. */
export type GrantKey = { readonly partnerId: string; readonly id: string }

/** Tokens as they are kept. */
export type KeptTokens = GrantKey & { readonly tokensSealed: Buffer; readonly expiresAt: Temporal.Instant }

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

const KEPT = [
  'bank_tokens.partner_id as partnerId',
  'bank_tokens.id',
  'tokens_sealed as tokensSealed',
  'expires_at as expiresAt',
] as const

/** Keeps the tokens of a new grant for all that it opens, in the place of those that were there. May be repeated. */
export async function insertTokens(
  database: Database<unknown>,
  { partnerId, id, tokensSealed, expiresAt }: KeptTokens,
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

/** Keeps the tokens that follow, and frees them for the next renewal. */
export async function updateTokens(
  database: Database<unknown>,
  { tokensSealed, expiresAt, ...key }: KeptTokens,
): Promise<void> {
  await changeGrant(database, key, {
    tokens_sealed: tokensSealed,
    expires_at: expiresAt.toString(),
    lease_until: null,
  })
}

/** The tokens that open it. */
export async function findTokens(
  { query }: Database<unknown>,
  { partnerId, subjectId }: TokenKey,
): Promise<KeptTokens | undefined> {
  return await query
    .withTables<Tables>()
    .selectFrom('bank_token_subjects')
    .innerJoin('bank_tokens', (join) =>
      join
        .onRef('bank_tokens.partner_id', '=', 'bank_token_subjects.partner_id')
        .onRef('bank_tokens.id', '=', 'bank_token_subjects.token_id'),
    )
    .select(KEPT)
    .where('bank_token_subjects.partner_id', '=', partnerId)
    .where('subject_id', '=', subjectId)
    .executeTakeFirst()
}

/** Takes the right to renew tokens; undefined while another process has it, or has renewed them. */
export async function claimRenewal(
  { query }: Database<unknown>,
  { partnerId, id }: GrantKey,
  times: { readonly real: Temporal.Instant; readonly endsBy: Temporal.Instant; readonly leaseUntil: Temporal.Instant },
): Promise<KeptTokens | undefined> {
  return await query
    .withTables<Tables>()
    .updateTable('bank_tokens')
    .set({ lease_until: times.leaseUntil.toString() })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where(sql<boolean>`expires_at <= ${times.endsBy.toString()}`)
    .where(sql<boolean>`(lease_until is null or lease_until <= ${times.real.toString()})`)
    .returning(KEPT)
    .executeTakeFirst()
}

/** Gives the right to renew back, for whoever comes next. */
export async function freeRenewal(database: Database<unknown>, key: GrantKey): Promise<void> {
  await changeGrant(database, key, { lease_until: null })
}

/** Forgets what opens these, and the tokens that open nothing else. True when there were any. */
export async function deleteTokens(
  database: Queries,
  partnerId: string,
  subjectIds: readonly string[],
): Promise<boolean> {
  return await deleteSubjects(database, partnerId, subjectIds, null)
}

/** `kept` stays, whatever it opens. */
async function deleteSubjects(
  database: Queries,
  partnerId: string,
  subjectIds: readonly string[],
  kept: string | null,
): Promise<boolean> {
  const tables = database.withTables<Tables>()
  const gone = await tables
    .deleteFrom('bank_token_subjects')
    .where('partner_id', '=', partnerId)
    .where('subject_id', 'in', [...subjectIds])
    .returning('token_id')
    .execute()
  const ids = gone.map(({ token_id }) => token_id).filter((id) => id !== kept)
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
  return gone.length > 0
}

type Change = { tokens_sealed?: Buffer; expires_at?: string; lease_until: null }

async function changeGrant({ query }: Database<unknown>, { partnerId, id }: GrantKey, change: Change): Promise<void> {
  await query
    .withTables<Tables>()
    .updateTable('bank_tokens')
    .set(change)
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}
