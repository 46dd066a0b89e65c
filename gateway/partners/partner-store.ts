/** Holds the queries on partners. */
import type { Generated, Kysely } from 'kysely'
import { columnsOf, rowOf, type TableOf } from '../platform/database/columns.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { CLIENT, type ClientTables } from './client-store.ts'
import type { Client, Partner } from './partner.ts'

type Tables = ClientTables & {
  partners: Omit<TableOf<Partner>, 'payroll_bulk' | 'ais_registration'> & {
    payroll_bulk: Generated<boolean>
    ais_registration: Generated<boolean>
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

const PARTNER = columnsOf('id', 'name', 'payrollBulk', 'aisRegistration', 'callbackOrigins', 'createdAt', 'disabledAt')

/** Inserts a partner; false when the name is in use. */
export async function insertPartner(
  database: Queryable,
  partner: { id: string; name: string; callbackOrigins: readonly string[]; createdAt: Temporal.Instant },
): Promise<boolean> {
  const inserted = await tables(database)
    .insertInto('partners')
    .values(rowOf(partner))
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
    .set({ callback_origins: callbackOrigins })
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
