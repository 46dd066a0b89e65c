/** Reads what an upgrade depends on: rights, tables, sessions and replication. */
import type pg from 'pg'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { MIGRATION_LOCK } from '../../../gateway/platform/database/migration/migration-session.ts'

const Text = Type.String()
const Count = Type.Integer()
const Amount = Type.Number()

const Facts = Type.Object({
  canCreate: Type.Boolean(),
  isMigrating: Type.Boolean(),
  /** Connections that the server has left for users without special rights. */
  connectionsFree: Count,
  tables: Type.Array(Type.Object({ name: Text, bytes: Amount, isOwned: Type.Boolean() })),
  transactions: Type.Array(Type.Object({ pid: Count, program: Text, userName: Text, seconds: Amount })),
  prepared: Type.Array(Type.Object({ name: Text, seconds: Amount })),
  /** Sessions of which our user may see nothing but that they exist. */
  sessionsHidden: Count,
  maintenance: Type.Array(Type.Object({ what: Text, where: Text })),
  standbys: Type.Array(Type.Object({ name: Text, seconds: Amount, bytes: Amount })),
  idleSlots: Type.Array(Type.Object({ name: Text, bytes: Amount })),
  archiveMode: Text,
  /** The last attempt to archive a WAL file failed. */
  archiveFails: Type.Boolean(),
  /** Null where it is on another machine, or our user may not know it. */
  dataFolder: Type.Union([Text, Type.Null()]),
})

export type UpgradeFacts = Static<typeof Facts>

const TRANSACTION_SECONDS_MAX = 30
const list = (statement: string) => `(select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (${statement}) t)`

const STATEMENT = `
  select has_schema_privilege(current_schema(), 'create') as "canCreate",
    exists (select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${MIGRATION_LOCK}
      and database = (select oid from pg_database where datname = current_database())) as "isMigrating",
    (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (select count(*)::int from pg_stat_activity where backend_type = 'client backend')) as "connectionsFree",
    ${list(`select c.relname::text as name, pg_total_relation_size(c.oid)::float8 as bytes,
        pg_has_role(c.relowner, 'usage') as "isOwned"
      from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`)} as tables,
    ${list(`select pid, application_name as program, usename::text as "userName",
        extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'
        and xact_start < clock_timestamp() - interval '${TRANSACTION_SECONDS_MAX} seconds'`)} as transactions,
    ${list(`select gid::text as name, extract(epoch from clock_timestamp() - prepared)::float8 as seconds
      from pg_prepared_xacts where database = current_database()`)} as prepared,
    (select count(*)::int from pg_stat_activity where datname = current_database() and backend_type is null)
      as "sessionsHidden",
    ${list(`select 'an index is being built' as what, relid::regclass::text as "where" from pg_stat_progress_create_index
        where datname = current_database()
      union all select 'a base backup is being taken', 'pid ' || pid from pg_stat_progress_basebackup
      union all select 'a vacuum that no lock interrupts is running', query from pg_stat_activity
        where datname = current_database() and query like 'autovacuum:%(to prevent wraparound)'`)} as maintenance,
    ${list(`select application_name as name, coalesce(extract(epoch from replay_lag), 0)::float8 as seconds,
        coalesce(pg_wal_lsn_diff(sent_lsn, replay_lsn), 0)::float8 as bytes
      from pg_stat_replication where state is not null`)} as standbys,
    ${list(`select slot_name::text as name, coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 as bytes
      from pg_replication_slots where not active`)} as "idleSlots",
    current_setting('archive_mode') as "archiveMode",
    (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver)
      as "archiveFails",
    case when pg_has_role('pg_read_all_settings', 'usage') and inet_server_addr() is not distinct from
      coalesce(inet_client_addr(), inet_server_addr()) then current_setting('data_directory') end as "dataFolder"`

/** Reads the facts of a primary. */
export async function readUpgradeFacts(pool: pg.Pool): Promise<UpgradeFacts> {
  const { rows } = await pool.query(STATEMENT)
  return Value.Parse(Facts, rows[0])
}
