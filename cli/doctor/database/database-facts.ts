/** Reads what the server of the database says of itself, in one statement. */

import type pg from 'pg'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Text = Type.String()
const Flag = Type.Boolean()
const Count = Type.Integer()

const Facts = Type.Object({
  /** E.g. 180004. */
  versionNumber: Count,
  version: Text,
  isReplica: Flag,
  isReadOnly: Flag,
  encoding: Text,
  /** The version of the collation when the database was created, and of the installed one; null where it has none. */
  collationVersion: Type.Union([Text, Type.Null()]),
  collationVersionNow: Type.Union([Text, Type.Null()]),
  timeZone: Text,
  fsync: Text,
  fullPageWrites: Text,
  synchronousCommit: Text,
  autovacuum: Text,
  /** Seconds since 1970. */
  clockSeconds: Type.Number(),
  databaseName: Text,
  userName: Text,
  currentSchema: Type.Union([Text, Type.Null()]),
  searchPath: Text,
  /** Schemas that have a table `migrations` with the name of the first one. */
  schemas: Type.Array(Text),
  serverConnectionsMax: Count,
  serverConnections: Count,
  /** -1 for no limit. */
  databaseConnectionsMax: Count,
  userConnectionsMax: Count,
})

/** Facts of a server, its database and our user there. */
export type DatabaseFacts = Static<typeof Facts>

const STATEMENT = `
  select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
    pg_is_in_recovery() as "isReplica", current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
    pg_encoding_to_char(d.encoding) as encoding, d.datcollversion as "collationVersion",
    pg_database_collation_actual_version(d.oid) as "collationVersionNow", current_setting('TimeZone') as "timeZone",
    current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
    current_setting('synchronous_commit') as "synchronousCommit", current_setting('autovacuum') as autovacuum,
    extract(epoch from clock_timestamp())::float8 as "clockSeconds",
    current_database() as "databaseName", current_user as "userName", current_schema() as "currentSchema",
    current_setting('search_path') as "searchPath",
    array(select n.nspname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relname = 'running_processes' and c.relkind = 'r' order by 1) as schemas,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      as "serverConnectionsMax",
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "serverConnections",
    d.datconnlimit as "databaseConnectionsMax", r.rolconnlimit as "userConnectionsMax"
  from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`

/** Reads the facts, and how far our clock is ahead of the server's, in seconds. */
export async function readDatabaseFacts(
  pool: pg.Pool,
  real: () => Temporal.Instant,
): Promise<{ readonly facts: DatabaseFacts; readonly secondsAhead: number }> {
  const before = real()
  const { rows } = await pool.query(STATEMENT)
  const after = real()
  const facts = Value.Parse(Facts, rows[0])
  const between = (before.epochMilliseconds + after.epochMilliseconds) / 2_000
  return { facts, secondsAhead: between - facts.clockSeconds }
}
