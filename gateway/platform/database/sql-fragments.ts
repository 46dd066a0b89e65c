/** Fragments of SQL statements and the reading of their columns, which several stores share. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** The condition that all of these hold; those of a filter that is not set are left out. */
export function allOf(first: RawBuilder<unknown>, ...others: readonly (RawBuilder<unknown> | false)[]) {
  return sql.join<SqlBool>([first, ...others.filter((condition) => condition !== false)], sql` and `)
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
