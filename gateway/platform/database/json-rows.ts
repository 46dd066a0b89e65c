/** Writes how a statement that is shared reads its rows, so that each is looked up by its key in tables of any size. */

/**
 * The rows of the statement's first parameter, a list of JSON objects. PostgreSQL expects one row of it, where it would expect
 * a hundred of `jsonb_to_recordset` and rather read a small table whole than look up a hundred keys (decision 0085).
 */
export function rowsOfList(columns: string): string {
  return `select r.* from jsonb_array_elements($1::jsonb) as e(element), jsonb_to_record(e.element) as r(${columns})
    where jsonb_typeof(e.element) = 'object'`
}
