/** Lists records of any kind for operators: a page of each partner by an index, newest first. */
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { allOf } from '../platform/database/sql-fragments.ts'
import { type CreatedFilter, isCreatedWithin, newestFirst, newestRowsQuery, type PartnerRows } from './partner-rows.ts'

/** A list of records, as the module that has them describes it. */
export type RecordSource = PartnerRows & {
  readonly statusColumn: 'status' | 'state'
  /** By the name that readers know: a column, or an expression on the row, which is called `t`. */
  readonly columns: Readonly<Record<string, string | RawBuilder<unknown>>>
  /** What names the company of a record that does not name it itself. */
  readonly company?: CompanySource
}

/** The rows that name the company of records, and the column of a record that refers to them. */
export type CompanySource = {
  readonly table: string
  readonly key: 'consent_id' | 'quote_id'
  /** Whether such a row has at most one record. */
  readonly hasOneRecord?: true
}

export type RecordFilter = CreatedFilter & {
  /** Null for operators, who see the records of all partners. */
  readonly partnerId: string | null
  readonly id: string | undefined
  readonly status: string | undefined
  readonly organisationNumber: string | undefined
  readonly limit: number
}

/** Records of a list, newest first. */
export async function listRecords<Row>(
  { query }: Queryable,
  source: RecordSource,
  filter: RecordFilter,
): Promise<readonly Row[]> {
  return (await recordListQuery<Row>(source, filter).execute(query)).rows
}

/** Exported for the test of its plan. */
export function recordListQuery<Row>(source: RecordSource, filter: RecordFilter): RawBuilder<Row> {
  const columns = Object.entries({ id: 'id', ...source.columns }).map(
    ([name, column]) => sql`${typeof column === 'string' ? sql.ref(`t.${column}`) : column} as ${sql.ref(name)}`,
  )
  return newestRowsQuery<Row>(sql`${sql.join(columns)}, o.name as partner`, pageOfPartner(source, filter), filter)
}

/** The company of a record `t`. */
export function companyOfRecord({ table, key }: CompanySource): RawBuilder<unknown> {
  return sql`(select c.organisation_number from ${sql.table(table)} c
    where c.partner_id = t.partner_id and c.id = ${sql.ref(`t.${key}`)})`
}

/** Of a company, a page of each of its consents or quotes, from which those of the page are taken. */
function pageOfPartner(source: RecordSource, filter: RecordFilter): RawBuilder<unknown> {
  const { table, company } = source
  const { organisationNumber, limit } = filter
  const isOfCompany = sql`organisation_number = ${organisationNumber}`
  if (company === undefined || organisationNumber === undefined) {
    const condition = allOf(isSought(source, filter), organisationNumber !== undefined && isOfCompany)
    return sql`
      select * from ${sql.table(table)} where partner_id = o.id and ${condition}
      ${newestFirst(limit)}`
  }
  return sql`
    select r.* from ${sql.table(company.table)} c, lateral (
      select * from ${sql.table(table)} where partner_id = c.partner_id and ${isSought(source, filter)}
        and ${isOf(company)}
      order by ${sql.ref(company.key)} desc, created_at desc, id desc limit ${limit}) r
    where c.partner_id = o.id and c.${isOfCompany}
    order by r.created_at desc, r.id desc limit ${limit}`
}

/**
 * Of many records rows are compared, not columns: only the index that begins with the key serves that, however few rows
 * the statistics show.
 */
function isOf({ key, hasOneRecord }: CompanySource): RawBuilder<unknown> {
  const column = sql.ref(key)
  return hasOneRecord === true
    ? sql`${column} = c.id`
    : sql`(${column}, created_at, id) >= (c.id, '-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)
        and (${column}, created_at, id) <= (c.id, 'infinity'::timestamptz, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`
}

function isSought(
  { where = sql`true`, statusColumn }: RecordSource,
  { id, status, ...created }: RecordFilter,
): RawBuilder<unknown> {
  return allOf(
    where,
    id !== undefined && sql`id = ${id}::uuid`,
    status !== undefined && sql`${sql.ref(statusColumn)} = ${status}`,
    isCreatedWithin(created),
  )
}
