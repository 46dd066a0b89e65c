/** Fragments of SQL statements and the reading of their columns, which several stores share. */
import { type ColumnType, type RawBuilder, sql } from 'kysely'

/** The column of a member: `partner_id` for `partnerId`. */
type ColumnName<Member extends string> = Member extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${ColumnName<Rest>}`
  : Member

/** Points in time and days are written as text. */
type Written<Value> = Value extends Temporal.Instant | Temporal.PlainDate ? string : Value

/** The columns of a table, for typed statements, that have the names and types of these members. */
export type ColumnsOf<Row> = {
  [Member in keyof Row & string as ColumnName<Member>]: ColumnType<
    Row[Member],
    Written<Row[Member]> | (null extends Row[Member] ? undefined : never),
    Written<Row[Member]>
  >
}

/** What is written to these columns. */
type WrittenColumns<Row> = Row extends object
  ? { [Member in keyof Row & string as ColumnName<Member>]: Written<Row[Member]> }
  : never

/** A row by its columns, to be inserted or updated. */
export function toColumns<Row extends object>(row: Row): WrittenColumns<Row> {
  const columns = Object.entries(row).map(([member, value]) => [
    member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value instanceof Temporal.Instant || value instanceof Temporal.PlainDate ? value.toString() : value,
  ])
  return Object.fromEntries(columns)
}

/** A point in time as a parameter of a query. */
export function timestamp(at: Temporal.Instant): RawBuilder<Temporal.Instant> {
  return sql<Temporal.Instant>`${at.toString()}::timestamptz`
}

/** The condition that a row has this key. */
export function hasKey({ partnerId, id }: { readonly partnerId: string; readonly id: string }): RawBuilder<boolean> {
  return sql<boolean>`partner_id = ${partnerId} and id = ${id}`
}

/** Each column of the table with this alias, named as Kysely would name it: `c.partner_id as "partnerId"`. */
export function prefixedColumns(alias: string, columns: readonly string[]): string {
  return columns
    .map((column) => {
      const [name, as = name] = column.split(' as ')
      return `${alias}.${name} as "${as}"`
    })
    .join(', ')
}

/**
 * The rows of the statement's first parameter, a list of JSON objects. PostgreSQL estimates one row for it; for
 * `jsonb_to_recordset` it estimates a hundred, and prefers a sequential scan of a small table to a hundred key lookups
 * (decision 0085).
 */
export function jsonRowsSql(columns: string): string {
  return `select r.* from jsonb_array_elements($1::jsonb) as e(element), jsonb_to_record(e.element) as r(${columns})
    where jsonb_typeof(e.element) = 'object'`
}
