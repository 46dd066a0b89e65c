/** Finds a record of a list that the user may see. */
import { sql } from 'kysely'
import type { Context } from '../../gateway/context.ts'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { Viewer } from '../layout/viewer.ts'
import { RECORD_LISTS, type RecordList, type RecordListName } from './record-lists.ts'

/** The key of a record, and its partner's name. */
export type VisibleRecord = { readonly partnerId: string; readonly id: string; readonly partnerName: string }

/** Throws `not-found` for an unknown id and for a record of a foreign partner, which look the same. */
export async function requireVisibleRecord(
  { database }: Context,
  name: RecordListName,
  viewer: Pick<Viewer, 'session'>,
  id: string,
): Promise<VisibleRecord> {
  const list = RECORD_LISTS.find((each) => each.name === name)
  const found =
    list === undefined || !isId(id) ? undefined : await findPartnerOfRecord(database, list, partnerFilterOf(viewer), id)
  if (found === undefined) {
    throw apiError('not-found', 'There is no record with this id')
  }
  return { ...found, id: id.toLowerCase() }
}

async function findPartnerOfRecord(
  database: Queryable,
  { table, where }: RecordList,
  partnerId: string | null,
  id: string,
): Promise<Omit<VisibleRecord, 'id'> | undefined> {
  const { rows } = await sql<Omit<VisibleRecord, 'id'>>`
    select o.id as "partnerId", o.name as "partnerName" from partners o, lateral (
      select 1 from ${sql.table(table)} where partner_id = o.id and id = ${id}::uuid and ${where}) t
    where ${partnerListFilter(partnerId)}`.execute(database.query)
  return rows[0]
}
