/** Queries of the lists of records: each reads a page of each partner by an index, newest first. */
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../gateway/platform/database/in-transaction.ts'
import { partnerListFilter } from '../../gateway/platform/database/sql-fragments.ts'
import { startOfDayForReaders } from '../markup/format-time.ts'
import type { ListPosition } from '../markup/list-position.ts'
import type { RecordList, RecordRow } from './record-lists.ts'

/** Days are days of the console's time zone; the last one is included. */
export type RecordFilter = {
  /** Null for operators, who see the records of all partners. */
  readonly partnerId: string | null
  readonly id: string | undefined
  readonly status: string | undefined
  readonly organisationNumber: string | undefined
  readonly from: Temporal.PlainDate | undefined
  readonly to: Temporal.PlainDate | undefined
  /** The last record of the page before. */
  readonly after: ListPosition | undefined
  readonly limit: number
}

/** Records of a list, newest first. */
export async function listRecords(
  database: Queryable,
  list: RecordList,
  filter: RecordFilter,
): Promise<readonly RecordRow[]> {
  return (await recordListQuery(list, filter).execute(database.query)).rows
}

/** Exported for the test of its plan. */
export function recordListQuery(list: RecordList, filter: RecordFilter): RawBuilder<RecordRow> {
  const { partnerId, limit } = filter
  const selected = list.columns.map(([name, source]) => sql`${source} as ${sql.ref(name)}`)
  return sql<RecordRow>`
    select t.id, o.name as partner, ${sql.join(selected)} from partners o, lateral (${pageOfPartner(list, filter)}) t
    where ${partnerListFilter(partnerId)}
    order by t.created_at desc, t.id desc limit ${limit}`
}

/** Of a company, a page of each of its consents or quotes, from which those of the page are taken. */
function pageOfPartner(list: RecordList, filter: RecordFilter): RawBuilder<unknown> {
  const { table, companyIn: parent } = list
  const { organisationNumber, limit } = filter
  const order = sql`order by created_at desc, id desc limit ${limit}`
  if (parent === undefined || organisationNumber === undefined) {
    const conditions = [
      ...conditionsOf(list, filter),
      ...(organisationNumber === undefined ? [] : [sql`organisation_number = ${organisationNumber}`]),
    ]
    return sql`select * from ${sql.table(table)} where partner_id = o.id and ${sql.join(conditions, sql` and `)} ${order}`
  }
  return sql`
    select r.* from ${sql.table(parent.table)} c, lateral (
      select * from ${sql.table(table)}
      where partner_id = c.partner_id and ${sql.join([...conditionsOf(list, filter), isOf(parent)], sql` and `)}
      order by ${sql.ref(parent.key)} desc, created_at desc, id desc limit ${limit}) r
    where c.partner_id = o.id and c.organisation_number = ${organisationNumber}
    order by r.created_at desc, r.id desc limit ${limit}`
}

/**
 * Of a consent rows are compared, not columns: only the index that begins with the consent serves that, however few
 * rows the statistics show. A quote has one deal.
 */
function isOf({ key }: NonNullable<RecordList['companyIn']>): RawBuilder<unknown> {
  return key === 'quote_id'
    ? sql`quote_id = c.id`
    : sql`(consent_id, created_at, id) >= (c.id, '-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)
        and (consent_id, created_at, id) <= (c.id, 'infinity'::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`
}

function conditionsOf(
  { where, statusColumn }: RecordList,
  { id, status, from, to, after }: RecordFilter,
): readonly RawBuilder<unknown>[] {
  return [
    where,
    ...(id === undefined ? [] : [sql`id = ${id}::uuid`]),
    ...(status === undefined ? [] : [sql`${sql.ref(statusColumn)} = ${status}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${startOfDayForReaders(from).toString()}::timestamptz`]),
    ...(to === undefined
      ? []
      : [sql`created_at < ${startOfDayForReaders(to.add({ days: 1 })).toString()}::timestamptz`]),
    ...(after === undefined
      ? []
      : [sql`(created_at, id) < (${after.createdAt.toString()}::timestamptz, ${after.id}::uuid)`]),
  ]
}
