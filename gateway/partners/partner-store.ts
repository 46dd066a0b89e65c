/** Holds the queries on partners. */
import type { ColumnType, Kysely } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { CLIENT, type ClientTables } from './client-store.ts'
import type { Client, Partner } from './partner.ts'

type Instant = ColumnType<Temporal.Instant, string, string>
type MaybeInstant = ColumnType<Temporal.Instant | null, string | null | undefined, string | null>

type Tables = ClientTables & {
  partners: {
    id: string
    name: string
    payroll_bulk: ColumnType<boolean, boolean | undefined>
    ais_registration: ColumnType<boolean, boolean | undefined>
    callback_origins: string[]
    created_at: Instant
    disabled_at: MaybeInstant
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const PARTNER = [
  'id',
  'name',
  'payroll_bulk as payrollBulk',
  'ais_registration as aisRegistration',
  'callback_origins as callbackOrigins',
  'created_at as createdAt',
  'disabled_at as disabledAt',
] as const

/** Inserts a partner; false when the name is in use. */
export async function insertPartner(
  database: Queryable,
  partner: { id: string; name: string; callbackOrigins: readonly string[]; createdAt: Temporal.Instant },
): Promise<boolean> {
  const inserted = await tables(database)
    .insertInto('partners')
    .values({
      id: partner.id,
      name: partner.name,
      callback_origins: [...partner.callbackOrigins],
      created_at: partner.createdAt.toString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Replaces a partner's registered callback origins. */
export async function updateCallbackOrigins(
  database: Queryable,
  partnerId: string,
  callbackOrigins: readonly string[],
): Promise<void> {
  await tables(database)
    .updateTable('partners')
    .set({ callback_origins: [...callbackOrigins] })
    .where('id', '=', partnerId)
    .execute()
}

/** The partner of this name or id. */
export async function findPartner(database: Queryable, nameOrId: string): Promise<Partner | undefined> {
  return await tables(database)
    .selectFrom('partners')
    .select(PARTNER)
    .where((where) => where.or([where('name', '=', nameOrId), where(where.cast('id', 'text'), '=', nameOrId)]))
    .executeTakeFirst()
}

/** All partners by name, with their credentials. */
export async function listPartners(
  database: Database<unknown>,
): Promise<readonly { partner: Partner; clients: readonly Client[] }[]> {
  const partners = await tables(database).selectFrom('partners').select(PARTNER).orderBy('name').execute()
  const clients = await tables(database).selectFrom('clients').select(CLIENT).orderBy('client_id').execute()
  return partners.map((partner) => ({ partner, clients: clients.filter(({ partnerId }) => partnerId === partner.id) }))
}

export async function listDisabledPartners(database: Database<unknown>): Promise<ReadonlySet<string>> {
  const rows = await tables(database).selectFrom('partners').select('id').where('disabled_at', 'is not', null).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Sets a permission of a partner; false when nothing changed. */
export async function setPartnerPermission(
  database: Queryable,
  partnerId: string,
  permission: 'payrollBulk' | 'aisRegistration',
  to: boolean,
): Promise<boolean> {
  const column = ({ payrollBulk: 'payroll_bulk', aisRegistration: 'ais_registration' } as const)[permission]
  const { numUpdatedRows } = await tables(database)
    .updateTable('partners')
    .set({ [column]: to })
    .where('id', '=', partnerId)
    .where(column, '<>', to)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Disables a partner and with it all its clients; false when it is unknown or disabled already. */
export async function disablePartner(
  database: Database<unknown>,
  partnerId: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(database)
    .updateTable('partners')
    .set({ disabled_at: at.toString() })
    .where('id', '=', partnerId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
