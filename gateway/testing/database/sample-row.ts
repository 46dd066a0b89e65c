/** Inserts rows of which a test names only some columns, and makes single rows fail whatever changes them. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'

type Column = { readonly name: string; readonly type: string }

const VALUES: Readonly<Record<string, string>> = {
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  jsonb: '{}',
  boolean: 'false',
  ARRAY: '{}',
  bytea: '\\x00',
}
/** Of numbers and texts. */
const OTHER_VALUE = '0'

function sampleOf(type: string): string {
  return type === 'uuid' ? randomUUID() : (VALUES[type] ?? OTHER_VALUE)
}

/** Required columns that are not named get a value of their type; foreign keys are not checked. */
export async function insertSampleRow(
  pool: pg.Pool,
  table: string,
  named: Readonly<Record<string, unknown>>,
): Promise<void> {
  const [schema, name] = table.includes('.') ? table.split('.') : ['public', table]
  const { rows: required } = await pool.query<Column>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_nullable = 'NO' and column_default is null
       and is_identity = 'NO' and is_generated = 'NEVER'`,
    [schema, name],
  )
  const row = { ...Object.fromEntries(required.map(({ name, type }) => [name, sampleOf(type)])), ...named }
  const columns = Object.keys(row)
  const client = await pool.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    await client.query(
      `insert into ${table} (${columns}) overriding system value values (${columns.map((_, index) => `$${index + 1}`)})`,
      Object.values(row),
    )
    await client.query('commit')
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Every change of this row fails, except those for which the condition on `old` and `new` does not hold. */
export async function poisonRow(
  pool: pg.Pool,
  table: string,
  { id, key = 'id', when = 'true' }: { readonly id: string; readonly key?: string; readonly when?: string },
): Promise<void> {
  const name = `poison_${`${table}_${id}`.replaceAll(/[^a-z0-9]/g, '_')}`
  await pool.query(`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if old.${key}::text = '${id}' and (tg_op = 'DELETE' or ${when}) then
        raise exception 'the row is poisoned' using errcode = 'check_violation';
      end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$;
    create trigger ${name} before update or delete on ${table} for each row execute function ${name}()`)
}
