/** Holds the queries on the credentials of partners. */
import { type Generated, type Kysely, sql } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../platform/database/columns.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { prefixedColumns } from '../platform/database/sql-fragments.ts'
import type { Client, ClientCredential, Partner } from './partner.ts'

export type ClientTables = {
  clients: TableOf<
    Omit<Client, 'payroll'> & {
      readonly secretHash: string
      readonly formerSecretHash: string | null
      readonly firstTokenAt: Temporal.Instant | null
    }
  > & { secret_number: Generated<number>; payroll: Generated<boolean> }
}

type Tables = ClientTables & {
  partners: TableOf<Pick<Partner, 'id' | 'name' | 'callbackOrigins' | 'disabledAt'>>
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const updateOfClient = (database: Queryable, clientId: string) =>
  tables(database).updateTable('clients').where('client_id', '=', clientId)

/** The columns of a client for its partner and for operators. */
export const CLIENT = columnsOf(
  'clientId',
  'partnerId',
  'payroll',
  'createdAt',
  'disabledAt',
  'secretRotatedAt',
  'formerSecretEndsAt',
)

/** Inserts credentials; false when the client id is in use. */
export async function insertClient(
  database: Queryable,
  client: { clientId: string; partnerId: string; secretHash: string; createdAt: Temporal.Instant },
): Promise<boolean> {
  const inserted = await tables(database)
    .insertInto('clients')
    .values(rowOf(client))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** The client of a token request. */
export type ClientCredentials = {
  readonly partnerId: string
  readonly secrets: readonly ClientCredential[]
  readonly enabled: boolean
  /** Whether a token was issued to it before. */
  readonly hasToken: boolean
}

/** What the token endpoint needs of a client: its current secret, and the former one while both are valid. */
export async function findCredentials(database: Queryable, clientId: string): Promise<ClientCredentials | undefined> {
  const row = await tables(database)
    .selectFrom('clients')
    .innerJoin('partners', 'partners.id', 'clients.partner_id')
    .select(['partner_id as partnerId', 'secret_hash as hash', 'secret_number as number'])
    .select([
      'former_secret_hash as formerHash',
      'former_secret_ends_at as formerEndsAt',
      'first_token_at as firstTokenAt',
    ])
    .select(['clients.disabled_at as clientDisabledAt', 'partners.disabled_at as partnerDisabledAt'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (row === undefined) {
    return undefined
  }
  const { partnerId, hash, number, formerHash, formerEndsAt, firstTokenAt } = row
  const former = formerHash === null ? [] : [{ hash: formerHash, number: number - 1, endsAt: formerEndsAt }]
  return {
    partnerId,
    secrets: [{ hash, number, endsAt: null }, ...former],
    enabled: row.clientDisabledAt === null && row.partnerDisabledAt === null,
    hasToken: firstTokenAt !== null,
  }
}

type EnabledClient = {
  readonly clientId: string
  readonly partnerId: string
  readonly partnerName: string
  readonly callbackOrigins: readonly string[]
  readonly permissions: readonly 'payroll'[]
  readonly secretNumber: number
  readonly hasFormerSecret: boolean
}

/** All enabled clients, with what the request pipeline needs of their partner, and the numbers of their secrets. */
export async function listEnabledClients({ query }: Database<unknown>): Promise<readonly EnabledClient[]> {
  const { rows } = await sql<EnabledClient>`
    select c.client_id as "clientId", c.partner_id as "partnerId", o.name as "partnerName",
      o.callback_origins as "callbackOrigins", c.secret_number as "secretNumber",
      array_remove(array[case when c.payroll then 'payroll' end], null) as permissions,
      c.former_secret_hash is not null as "hasFormerSecret"
    from clients c join partners o on o.id = c.partner_id
    where c.disabled_at is null and o.disabled_at is null`.execute(query)
  return rows
}

/** Clients by their ids, those after one of them; of one partner, or of all. */
export function clientListQuery(partnerId: string | null, afterId: string | undefined, limit: number) {
  return sql<Client & { partnerName: string }>`
    select ${sql.raw(prefixedColumns('c', CLIENT))}, o.name as "partnerName"
    from clients c join partners o on o.id = c.partner_id
    where ${partnerId === null ? sql`true` : sql`c.partner_id = ${partnerId}::uuid`}
      and c.client_id > ${afterId ?? ''}
    order by c.client_id limit ${limit}`
}

/** A client of the partner; of any partner for null. */
export async function findClient(
  database: Queryable,
  partnerId: string | null,
  clientId: string,
): Promise<(Client & { readonly partnerName: string }) | undefined> {
  return await tables(database)
    .selectFrom('clients')
    .innerJoin('partners', 'partners.id', 'clients.partner_id')
    .select(CLIENT.map((column) => `clients.${column}` as const))
    .select('partners.name as partnerName')
    .where('client_id', '=', clientId)
    .$if(partnerId !== null, (query) => query.where('partner_id', '=', partnerId ?? ''))
    .executeTakeFirst()
}

/** Makes another secret the current one; the former one stays valid until `endsAt`. False when one still is. */
export async function replaceSecret(
  database: Queryable,
  clientId: string,
  { secretHash, at, endsAt }: { secretHash: string; at: Temporal.Instant; endsAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await updateOfClient(database, clientId)
    .set(({ ref }) => ({
      former_secret_hash: ref('secret_hash'),
      former_secret_ends_at: endsAt.toString(),
      secret_hash: secretHash,
      secret_number: sql<number>`secret_number + 1`,
      secret_rotated_at: at.toString(),
    }))
    .where('disabled_at', 'is', null)
    .where((where) =>
      where.or([
        where('former_secret_hash', 'is', null),
        where('former_secret_ends_at', '<=', sql<Temporal.Instant>`${at.toString()}::timestamptz`),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Once for each client. */
export async function recordFirstToken(database: Queryable, clientId: string, at: Temporal.Instant): Promise<void> {
  await updateOfClient(database, clientId)
    .set({ first_token_at: at.toString() })
    .where('first_token_at', 'is', null)
    .execute()
}

/** Whether a token was issued to a client of the partner. */
export async function hasFirstToken(database: Queryable, partnerId: string): Promise<boolean> {
  const found = await tables(database)
    .selectFrom('clients')
    .select('client_id')
    .where('partner_id', '=', partnerId)
    .where('first_token_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Ends the former secret; false when there is none. */
export async function endFormerSecret(database: Queryable, clientId: string): Promise<boolean> {
  const { numUpdatedRows } = await updateOfClient(database, clientId)
    .set({ former_secret_hash: null, former_secret_ends_at: null })
    .where('former_secret_hash', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets a permission of a client; false when nothing changed. */
export async function setClientPermission(
  database: Queryable,
  clientId: string,
  permission: 'payroll',
  to: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOfClient(database, clientId)
    .set({ [permission]: to })
    .where(permission, '<>', to)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Disables a client permanently; false when no enabled client has this id. */
export async function disableClient(
  database: Database<unknown>,
  clientId: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOfClient(database, clientId)
    .set({ disabled_at: at.toString() })
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
