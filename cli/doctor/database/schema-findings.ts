/** Checks the schema: search path, migrations, indexes and privileges, and that what promotions lost is recorded. */

import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import { isTimelineRecorded } from '../../../gateway/operators/audit-log.ts'
import type { Database } from '../../../gateway/platform/database/database.ts'
import { readMigrations } from '../../../gateway/platform/database/migration/migration-file.ts'
import { readTimeline, type Timeline } from '../../../gateway/platform/database/timeline.ts'
import { MIGRATIONS } from '../../../gateway/readiness.ts'
import { checksOf, type Finding, findingsOf } from '../check.ts'
import type { DatabaseFacts } from './server-findings.ts'

const { error, warning } = checksOf('operating/upgrades.md')
const SCHEMA = new URL('../../../gateway/schema.sql', import.meta.url)
const INDEX = /^CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+) .*;$/gm
const TABLE = /^create table (\w+) \(/gm
const KEY = /^ {2}constraint (\w+) (?:PRIMARY KEY|UNIQUE)/gm
const FIRST_TIMELINE = 1
/** Enough to see what is wrong. */
const NAMES_SHOWN = 5

export const SCHEMA_CHECKS = {
  'search-path': error('our tables are in a schema that the search path does not begin with'),
  'migrations-pending': error('the database lacks migrations of this release'),
  'migrations-unknown': warning('the database has migrations that this release does not know'),
  'migrations-differ': error('a migration of the database has another name than in this release'),
  'index-missing': error('an index of the schema is missing'),
  'index-invalid': error('an index was not built to its end'),
  'database-privileges': error(
    'the user of the database may not read or write a table',
    'operating/installation.md#one-host-with-systemd',
  ),
  'database-promoted': warning(
    'the database was restored, or a replica was promoted, and nothing is recorded of what was lost',
    'operating/backups.md#after-a-failover',
  ),
}

/** What is wrong with the schema; the checks of a later step are not made where a former one failed. */
export async function schemaFindings(stores: Database<unknown>, facts: DatabaseFacts): Promise<readonly Finding[]> {
  const { pool } = stores
  const misplaced = searchPathFindings(facts)
  if (misplaced.length > 0) {
    return misplaced
  }
  const privileges = await privilegeFindings(pool, facts)
  if (privileges.length > 0) {
    return privileges
  }
  const migrations = await migrationFindings(pool, facts)
  return migrations.length > 0 ? migrations : [...(await indexFindings(pool)), ...(await timelineFindings(stores))]
}

function searchPathFindings({ schemas, currentSchema, searchPath, databaseName }: DatabaseFacts): readonly Finding[] {
  const [schema] = schemas
  return findingsOf('search-path', schema !== undefined && !schemas.includes(currentSchema ?? ''), () => ({
    problem: `The tables are in the schema ${schema}, and the search path is ${searchPath}`,
    where: databaseName,
    action: `alter database "${databaseName}" set search_path to ${schema}; the same of the user if it has its own.`,
  }))
}

async function migrationFindings(pool: pg.Pool, { schemas }: DatabaseFacts): Promise<readonly Finding[]> {
  const expected = await readMigrations(MIGRATIONS)
  const stored = schemas.length === 0 ? new Map<number, string>() : await storedMigrations(pool)
  const pending = expected.filter(({ number }) => !stored.has(number))
  const unknown = [...stored].filter(([number]) => number > expected.length)
  const differing = expected.filter(({ number, name }) => stored.has(number) && stored.get(number) !== name)
  return [
    ...findingsOf('migrations-pending', pending.length > 0, () => ({
      problem: `The database is at migration ${expected.length - pending.length}, this release at ${expected.length}: ${shown(pending.map(({ name }) => name))}`,
      where: 'migrations',
      action: 'havn migrate',
    })),
    ...findingsOf('migrations-unknown', unknown.length > 0, () => ({
      problem: `The database was migrated by a newer release: ${shown(unknown.map(([, name]) => name))}`,
      where: 'migrations',
      action: 'Run the release that made them; this one still works with the tables that it knows.',
    })),
    ...findingsOf('migrations-differ', differing.length > 0, () => ({
      problem: `The database was made by a program before the first release, or changed by hand: ${shown(differing.map(({ name }) => name))}`,
      where: 'migrations',
      action: 'Restore a backup, or create a new database; havn migrate cannot continue from here.',
    })),
  ]
}

/** The names by number. */
async function storedMigrations(pool: pg.Pool): Promise<ReadonlyMap<number, string>> {
  const { rows } = await pool.query<{ number: number; name: string }>('select number, name from migrations')
  return new Map(rows.map(({ number, name }) => [number, name]))
}

async function indexFindings(pool: pg.Pool): Promise<readonly Finding[]> {
  const schema = await readFile(SCHEMA, 'utf8')
  const statements = new Map([...schema.matchAll(INDEX)].map(([statement, name = '']) => [name, statement]))
  const keys = [...schema.matchAll(KEY)].map(([, name = '']) => name)
  const { rows } = await pool.query<{ name: string; valid: boolean }>(
    `select c.relname::text as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = current_schema()::regnamespace`,
  )
  const found = new Set(rows.map(({ name }) => name))
  const missing = [...statements.keys(), ...keys].filter((name) => !found.has(name))
  const invalid = rows.filter(({ valid }) => !valid).map(({ name }) => name)
  return [
    ...missing.map((name) => ({
      check: 'index-missing',
      problem: `The index ${name} is missing: its statements read whole tables, or its key is not enforced`,
      where: name,
      action:
        statements.get(name)?.replace('INDEX', 'INDEX CONCURRENTLY') ?? `Create the key as in gateway/schema.sql.`,
    })),
    ...invalid.map((name) => ({
      check: 'index-invalid',
      problem: `The index ${name} is invalid, because its creation failed: it is not used`,
      where: name,
      action: `reindex index concurrently ${name};`,
    })),
  ]
}

async function privilegeFindings(pool: pg.Pool, facts: DatabaseFacts): Promise<readonly Finding[]> {
  const schema = await readFile(SCHEMA, 'utf8')
  const tables = [...schema.matchAll(TABLE)].map(([, name = '']) => name)
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relname = any($1) and c.relkind = 'r'
       and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
         and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
     order by 1`,
    [tables],
  )
  return findingsOf('database-privileges', rows.length > 0, () => ({
    problem: `The user ${facts.userName} may not select, insert, update and delete in ${rows.length} tables: ${shown(rows.map(({ name }) => name))}`,
    where: facts.userName,
    action: `grant select, insert, update, delete on all tables in schema ${facts.currentSchema} to "${facts.userName}";`,
  }))
}

/** A restore and a failover both begin a timeline, and only operators know which of the two it was. */
async function timelineFindings(stores: Database<unknown>): Promise<readonly Finding[]> {
  const timeline = await readTimeline(stores)
  return timeline === null || timeline.number === FIRST_TIMELINE
    ? []
    : findingsOfTimeline(timeline, await isTimelineRecorded(stores, timeline))
}

export function findingsOfTimeline({ number }: Timeline, isRecorded: boolean): readonly Finding[] {
  return findingsOf('database-promoted', !isRecorded, () => ({
    problem: `The database continues on timeline ${number}, which a restore or a failover began, and nothing is recorded of it`,
    where: 'DATABASE_URL',
    action:
      'After a restore, or a failover that lost something: stop gateways and workers, and run havn after-restore --to TIME. ' +
      'After a failover that lost nothing: havn after-restore --nothing-lost.',
  }))
}

function shown(names: readonly string[]): string {
  const others = names.length - NAMES_SHOWN
  return [...names.slice(0, NAMES_SHOWN), ...(others > 0 ? [`and ${others} more`] : [])].join(', ')
}
