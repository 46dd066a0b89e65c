/** Holds the queries on consents. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Seal } from '../platform/crypto/envelope-encryption.ts'
import { rowQuery, rowStatement } from '../platform/database/coalesce.ts'
import { columnsOf, rowOf, type TableOf } from '../platform/database/columns.ts'
import type { Database } from '../platform/database/database.ts'
import { executePrepared, type Queryable } from '../platform/database/in-transaction.ts'
import { prefixedColumns } from '../platform/database/sql-fragments.ts'
import { type Consent, consentPurpose } from './consent.ts'

/** When the consent is due for what, or null. */
type Times = Readonly<
  Record<
    'acceptedAt' | 'expiryNotifiedAt' | 'dueAt' | 'refreshAt' | 'revokeAt' | 'tokenReleaseAt' | 'leaseUntil',
    Temporal.Instant | null
  >
>

type ConsentTable = TableOf<Omit<SealedConsent, 'excludedAccounts'> & Times> & {
  excluded_accounts: ColumnType<number, number | undefined>
  /** Whether an operator registered it for a paper contract. */
  agreement: ColumnType<boolean, boolean | undefined>
  revoke_attempts: ColumnType<number, number | undefined>
  token_release_attempts: ColumnType<number, number | undefined>
}

type Tables = { consents: ConsentTable }
/** The key of a consent. */
export type ConsentKey = Pick<Consent, 'partnerId' | 'id'>
/** The query builder for the table of consents. */
export const consentTables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** The update of one consent. */
export const updateOfConsent = (database: Queryable, { partnerId, id }: ConsentKey) =>
  consentTables(database).updateTable('consents').where('partner_id', '=', partnerId).where('id', '=', id)

/** The columns of lists. */
const LISTED = columnsOf(
  'partnerId',
  'id',
  'companyId',
  'bic',
  'bankBranch',
  'countryCode',
  'organisationNumber',
  'status',
  'statusReason',
  'userIdMasked',
  'callbackUrl',
  'validUntil',
  'createdAt',
  'updatedAt',
  'excludedAccounts',
)

export const CONSENT = [...LISTED, ...columnsOf('userIdSealed', 'bankConsentIdSealed')] as const

/** A consent without its sealed values, which no list shows. */
export type ListedConsent = Omit<Consent, 'userId' | 'bankConsentId'>

type SealedConsent = ListedConsent & {
  readonly userIdSealed: Buffer | null
  readonly bankConsentIdSealed: Buffer | null
}

/** Stores a new consent in the transaction that stores its SCA session. */
export async function insertConsent({ database, seal }: Context, consent: Consent): Promise<void> {
  const { userId, bankConsentId: _, ...columns } = consent
  const userIdSealed = userId === null ? null : seal.seal(userId, consentPurpose('user', consent))
  const sealed = { userIdSealed, bankConsentIdSealed: sealedBankId(seal, consent) }
  await consentTables(database)
    .insertInto('consents')
    .values(rowOf({ ...columns, ...sealed }))
    .execute()
}

/** The consents with these keys in the order of the keys, null where there is none. */
export async function findConsents(
  context: Context,
  keys: readonly ConsentKey[],
): Promise<readonly (Consent | null)[]> {
  const { rows } = await context.database.pool.query<SealedConsent>(
    rowQuery(
      FIND_BY_KEYS,
      keys.map(({ partnerId, id }) => rowOf({ partnerId, id })),
    ),
  )
  const rowByKey = new Map(rows.map((row) => [`${row.partnerId} ${row.id}`, row]))
  // Concurrent requests often use the same consent: it is decrypted once for all of them.
  const consentByKey = new Map([...rowByKey].map(([key, row]) => [key, decryptConsent(context.seal, row)]))
  return keys.map(({ partnerId, id }) => consentByKey.get(`${partnerId} ${id}`) ?? null)
}

const FIND_BY_KEYS = rowStatement(
  'consents-by-key',
  { partner_id: 'uuid', id: 'uuid' },
  (keys) => `with k ${keys}
    select ${prefixedColumns('c', CONSENT)} from k join consents c on c.partner_id = k.partner_id and c.id = k.id`,
)

/** One consent, whatever its status. */
export async function findConsent(context: Context, key: ConsentKey): Promise<Consent | undefined> {
  const statement = consentTables(context.database)
    .selectFrom('consents')
    .select(CONSENT)
    .where('partner_id', '=', key.partnerId)
    .where('id', '=', key.id)
  const [row] = (await executePrepared(context.database, statement)).rows
  return row && decryptConsent(context.seal, row)
}

/** The partner's consents, at most `limit`: newest first, or by expiry if filtered by it. */
export async function listConsentsOf(
  database: Database<unknown>,
  partnerId: string,
  filter: { readonly organisationNumbers?: readonly string[]; readonly expiringBefore?: Temporal.Instant },
  limit: number,
): Promise<readonly ListedConsent[]> {
  const { organisationNumbers, expiringBefore } = filter
  let query = consentTables(database).selectFrom('consents').select(LISTED).where('partner_id', '=', partnerId)
  if (organisationNumbers !== undefined) {
    query = query.where('organisation_number', 'in', organisationNumbers)
  }
  if (expiringBefore !== undefined) {
    query = query
      .where('status', '=', 'ACCEPTED')
      .where(sql<boolean>`valid_until < ${expiringBefore.toString()}`)
      .orderBy('valid_until')
  }
  return await query.orderBy('id', 'desc').limit(limit).execute()
}

/** The consents in force, newest first, of all partners but for the filter: to a bank we are one third party. */
export async function listConsentsInForce(
  context: Context,
  filter: Partial<Pick<Consent, 'partnerId' | 'bic' | 'countryCode' | 'organisationNumber'>>,
): Promise<readonly Consent[]> {
  let query = consentTables(context.database).selectFrom('consents').select(CONSENT).where('status', '=', 'ACCEPTED')
  for (const [value, column] of [
    [filter.partnerId, 'partner_id'],
    [filter.bic, 'bic'],
    [filter.countryCode, 'country_code'],
    [filter.organisationNumber, 'organisation_number'],
  ] as const) {
    query = value === undefined ? query : query.where(column, '=', value)
  }
  const rows = await query.orderBy('id', 'desc').execute()
  return rows.map((row) => decryptConsent(context.seal, row))
}

/** All consents of a partner at the bank and company of a consent, whose users' ids look like that of its user. */
export async function listConsentsLike(
  context: Context,
  { partnerId, bic, organisationNumber, userIdMasked }: Consent,
): Promise<readonly Consent[]> {
  const rows = await consentTables(context.database)
    .selectFrom('consents')
    .select(CONSENT)
    .where('partner_id', '=', partnerId)
    .where('organisation_number', '=', organisationNumber)
    .where('bic', '=', bic)
    .where('user_id_masked', '=', userIdMasked)
    .execute()
  return rows.map((row) => decryptConsent(context.seal, row))
}

/**
 * Whether a user has another consent at a bank with OAuth grants, of any partner and company: one in force, or one
 * whose user has signed in and is about to accept it. To the bank we are one third party.
 */
export async function hasOtherGrantedConsent(
  context: Context,
  { id, bic, userId, userIdMasked }: Consent,
): Promise<boolean> {
  const rows = await consentTables(context.database)
    .selectFrom('consents')
    .select(CONSENT)
    .where('bic', '=', bic)
    .where((its) => its.or([its('status', '=', 'ACCEPTED'), AWAITS_WITH_TOKENS]))
    .where('id', '<>', id)
    .where(sql<boolean>`user_id_masked is not distinct from ${userIdMasked}`)
    .execute()
  // Unknown users may be the same one, whose newer grant must not end.
  return rows.some((row) => decryptConsent(context.seal, row).userId === userId)
}

const AWAITS_WITH_TOKENS = sql<boolean>`(status = 'AUTHORIZATION_REQUIRED' and exists (
  select from bank_token_subjects s where s.partner_id = consents.partner_id and s.subject_id = consents.id))`

/**
 * Stores the bank's response for a consent that was requested after its user had signed in. One that was rejected or
 * cancelled meanwhile is revoked at the bank, whether or not its authorisation starts there.
 */
export async function storeBankConsent({ clock, database, seal }: Context, consent: Consent): Promise<void> {
  const now = clock.now().toString()
  await updateOfConsent(database, consent)
    .set({
      bank_consent_id_sealed: sealedBankId(seal, consent),
      valid_until: consent.validUntil.toString(),
      revoke_at: sql<string | null>`case when status <> 'AUTHORIZATION_REQUIRED' then ${now}::timestamptz end`,
    })
    .where('status', 'in', ['AUTHORIZATION_REQUIRED', 'REJECTED', 'CANCELLED'])
    .execute()
}

/** Stores how many accounts of other owners the bank returned. */
export async function storeExcludedAccounts(database: Queryable, key: ConsentKey, count: number): Promise<void> {
  await updateOfConsent(database, key)
    .set({ excluded_accounts: count })
    .where('excluded_accounts', '<>', count)
    .execute()
}

function sealedBankId(seal: Seal, consent: Consent): Buffer | null {
  const { bankConsentId } = consent
  return bankConsentId === null ? null : seal.seal(bankConsentId, consentPurpose('bank consent', consent))
}

/** Decrypts a row of `CONSENT`. */
export function decryptConsent(seal: Seal, row: SealedConsent): Consent {
  const { userIdSealed, bankConsentIdSealed, ...rest } = row
  return {
    ...rest,
    userId: userIdSealed === null ? null : seal.open(userIdSealed, consentPurpose('user', row)),
    bankConsentId:
      bankConsentIdSealed === null ? null : seal.open(bankConsentIdSealed, consentPurpose('bank consent', row)),
  }
}
