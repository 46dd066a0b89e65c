/** Renders the schema of a database, the result of all migrations, as SQL. */
import type pg from 'pg'

type Line = { readonly name: string; readonly line: string }

const DOMAINS = `
  select t.typname as name, format('create domain %s as %s constraint %s %s;', t.typname,
    format_type(t.typbasetype, t.typtypmod), k.conname, pg_get_constraintdef(k.oid)) as line
  from pg_type t join pg_constraint k on k.contypid = t.oid and k.contype = 'c'
  where t.typtype = 'd' and t.typnamespace = $1::regnamespace
  order by t.typname, k.conname`

const COLUMNS = `
  select c.relname as name, format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' else '' end,
    coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind = 'r' and c.relnamespace = $1::regnamespace and c.relname <> 'migrations'
  order by c.relname, a.attnum`

const CONSTRAINTS = `
  select c.relname as name, format('  constraint %s %s', k.conname, pg_get_constraintdef(k.oid)) as line
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.contype in ('p', 'u', 'f', 'c') and c.relnamespace = $1::regnamespace and c.relname <> 'migrations'
  order by c.relname, k.contype, k.conname`

const INDEXES = `
  select tablename as name, replace(indexdef, ' ON ' || schemaname || '.', ' ON ') || ';' as line from pg_indexes
  where schemaname = $1 and tablename <> 'migrations'
    and indexname not in (select conname from pg_constraint where connamespace = $1::regnamespace)
  order by tablename, indexname`

/** The domains and the tables sorted by name, with columns, constraints and indexes. */
export async function schemaOf(client: pg.ClientBase, schema: string): Promise<string> {
  const domains = [...(await linesOf(client, DOMAINS, schema)).values()].flat().map((line) => `${line}\n`)
  const columns = await linesOf(client, COLUMNS, schema)
  const constraints = await linesOf(client, CONSTRAINTS, schema)
  const indexes = await linesOf(client, INDEXES, schema)
  const tables = [...columns].map(([table, lines]) => {
    const inside = [...lines, ...(constraints.get(table) ?? [])].join(',\n')
    return `create table ${table} (\n${inside}\n);\n${(indexes.get(table) ?? []).map((line) => `${line}\n`).join('')}`
  })
  return `-- What gateway/migrations make together; written by \`npm run schema\`, not by hand.\n\n${[...domains, ...tables].join('\n')}`
}

async function linesOf(client: pg.ClientBase, query: string, schema: string): Promise<Map<string, string[]>> {
  const { rows } = await client.query<Line>(query, [schema])
  const byTable = Map.groupBy(rows, ({ name }) => name)
  return new Map([...byTable].map(([table, lines]) => [table, lines.map(({ line }) => line)]))
}
