/** Copies rows of tables many times, so that plans of queries are those of filled tables. */
import type { Database } from '../../platform/database/database.ts'

/** SQL of the values in which a copy differs from its row, by column; `n` is the number of the copy. */
export type CopyChanges = Readonly<Record<string, string>>

/** As many as a statement inserts in well under the limit of its time, also on a busy machine. */
const TOGETHER = 10_000
const TIMES: ReadonlySet<string> = new Set(['at', 'created_at', 'changed_at', 'updated_at', 'status_at'])

/** Copies a row of the partner in a table; the copies are older. */
export async function copyRows(
  { pool }: Pick<Database<unknown>, 'pool'>,
  { table, partnerId, count }: { readonly table: string; readonly partnerId: string; readonly count: number },
  changes: CopyChanges,
): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const unknown = Object.keys(changes).filter((column) => !names.includes(column))
  if (unknown.length > 0) {
    throw new Error(`${table} has no ${unknown.join(', ')}`)
  }
  const times = names.filter((name) => TIMES.has(name)).map((name) => [name, `t.${name} - n * interval '1 hour'`])
  // The number of the copy, which is no column, makes PostgreSQL evaluate the values for each copy.
  const values = [...times, ...Object.entries({ ...changes, copy: 'n' })].map(
    ([column, value]) => `'${column}', ${value}`,
  )
  for (let first = 1; first <= count; first += TOGETHER) {
    await pool.query(
      `insert into ${table} (${names.join(', ')}) overriding system value
     select ${names.map((name) => `c.${name}`).join(', ')} from (select * from ${table} where partner_id = $2 limit 1) t, generate_series($1::int, $3::int) n,
       lateral jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${values.join(', ')})) c`,
      [first, partnerId, Math.min(first + TOGETHER - 1, count)],
    )
  }
  await pool.query(`analyze ${table}`)
}
