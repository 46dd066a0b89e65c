/** Checks what else happens in the database: transactions that hold locks, maintenance, replication and archiving. */
import type pg from 'pg'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { MIGRATION_LOCK } from '../../../gateway/platform/database/migration/migration-session.ts'
import { checksOf, type Finding, findingsOf } from '../check.ts'
import { DATA_FOLDER } from '../database/server-findings.ts'

const { error, note, warning } = checksOf('operating/upgrades.md#before-an-upgrade')
const LAG_SECONDS_MAX = 10
const LAG_BYTES_MAX = 64e6
const RETAINED_BYTES_MAX = 1e9

export const SESSION_CHECKS = {
  'upgrade-transaction-long': error(
    'a transaction has been open for over 30 seconds: migrations of its tables wait for it, and end with an error if it stays',
  ),
  'upgrade-transaction-prepared': error('a prepared transaction holds its locks'),
  'upgrade-sessions-hidden': note('sessions of other users, whose transactions our user may not see'),
  'upgrade-maintenance': warning('an index build, a base backup or a vacuum against wraparound is running'),
  'upgrade-connections': error('no connections are left for one more process'),
  'upgrade-replica-late': warning('a replica is late'),
  'upgrade-slot-idle': warning('a replication slot without a reader retains WAL'),
  'upgrade-archive-failing': error('WAL files cannot be archived'),
  'upgrade-backup': note('a reminder of the backup'),
}

export function sessionFindings(facts: UpgradeFacts, connectionsMax: number): readonly Finding[] {
  const { sessionsHidden, connectionsFree } = facts
  return [
    ...facts.transactions.map(({ pid, program, userName, seconds }) => ({
      check: 'upgrade-transaction-long',
      problem: `A transaction of ${program || 'an unnamed program'} (user ${userName}) has been open for ${Math.round(seconds)} s: migrations of its tables wait for it, and end with an error if it stays`,
      where: `pid ${pid}`,
      action: `Let it end, or end it: select pg_terminate_backend(${pid});`,
    })),
    ...facts.prepared.map(({ name, seconds }) => ({
      check: 'upgrade-transaction-prepared',
      problem: `The prepared transaction ${name} has held its locks for ${Math.round(seconds)} s`,
      where: name,
      action: `Ask its owner, then: commit prepared '${name}', or rollback prepared '${name}'`,
    })),
    ...findingsOf('upgrade-sessions-hidden', sessionsHidden > 0, () => ({
      problem: `${sessionsHidden} sessions of other users are hidden from ours: a long transaction may be among them`,
      where: 'pg_stat_activity',
      action: 'grant pg_read_all_stats to the user of DATABASE_URL, or look as a superuser.',
    })),
    ...facts.maintenance.map(({ what, where }) => ({
      check: 'upgrade-maintenance',
      problem: `In the database ${what}: a migration waits for it, or is slow next to it`,
      where,
      action: 'Wait until it has ended.',
    })),
    ...findingsOf('upgrade-connections', connectionsFree < connectionsMax + 2, () => ({
      problem: `${connectionsFree} connections are free; a process of the new release next to the old ones needs ${connectionsMax + 1}, and havn migrate three before it`,
      where: 'max_connections',
      action: 'Raise max_connections, lower HAVN_DATABASE_CONNECTIONS_MAX, or stop an old process before each new one.',
    })),
  ]
}

export function replicationFindings(facts: UpgradeFacts): readonly Finding[] {
  const { standbys, idleSlots, archiveMode, archiveFails } = facts
  const late = standbys.filter(({ seconds, bytes }) => seconds > LAG_SECONDS_MAX || bytes > LAG_BYTES_MAX)
  const retaining = idleSlots.filter(({ bytes }) => bytes > RETAINED_BYTES_MAX)
  return [
    ...late.map(({ name, seconds, bytes }) => ({
      check: 'upgrade-replica-late',
      problem: `The replica ${name} is ${Math.round(seconds)} s and ${Math.round(bytes / 1e6)} MB behind: what migrations write comes on top`,
      where: name,
      action: 'Wait until it has caught up, so that it can replace the primary if that fails meanwhile.',
    })),
    ...retaining.map(({ name, bytes }) => ({
      check: 'upgrade-slot-idle',
      problem: `The replication slot ${name} has no reader and retains ${(bytes / 1e9).toFixed(1)} GB of WAL`,
      where: name,
      action: `Start its reader, or drop it: select pg_drop_replication_slot('${name}');`,
    })),
    ...findingsOf('upgrade-archive-failing', archiveFails, () => ({
      problem: 'The last WAL file could not be archived: a restore would end before the upgrade',
      where: 'archive_command',
      action: 'Read the reason in the log of PostgreSQL, and correct it first.',
    })),
    ...findingsOf('upgrade-backup', true, () => ({
      problem:
        archiveMode === 'off'
          ? 'WAL is not archived: only a backup from just before the upgrade restores what was recorded until then'
          : 'Migrations are forward only: behind them the way back is a restore',
      where: 'backup',
      action: 'Take a base backup, or check that the last one and its WAL are complete. Store the master key apart.',
    })),
  ]
}

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
    ${DATA_FOLDER} as "dataFolder"`

/** Reads the facts of a primary. */
export async function readUpgradeFacts(pool: pg.Pool): Promise<UpgradeFacts> {
  const { rows } = await pool.query(STATEMENT)
  return Value.Parse(Facts, rows[0])
}
