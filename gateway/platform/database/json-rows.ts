/** Builds the SQL with which a shared statement reads its rows, so that each is found by key in tables of any size. */

/**
 * The rows of the statement's first parameter, a list of JSON objects. PostgreSQL estimates one row for it; for
 * `jsonb_to_recordset` it estimates a hundred, and prefers a sequential scan of a small table to a hundred key lookups
 * (decision 0085).
 */
export function jsonRowsSql(columns: string): string {
  return `select r.* from jsonb_array_elements($1::jsonb) as e(element), jsonb_to_record(e.element) as r(${columns})
    where jsonb_typeof(e.element) = 'object'`
}
