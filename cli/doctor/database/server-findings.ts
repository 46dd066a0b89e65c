/** Checks the server of the database: version, durability, encoding, clock, connections and disk. */
import { dirname } from 'node:path'
import type pg from 'pg'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Config } from '../../../gateway/config/config.ts'
import { findServerVersionProblem, SERVER_UPGRADE } from '../../../gateway/platform/database/server-version.ts'
import { checksOf, type Finding, findingsOf, type HostFacts } from '../check.ts'

const { error, note } = checksOf('operating.md#what-runs')
const BACKUPS = 'operating.md#backups'
const SKEW_SECONDS_MAX = 2
/** A gateway and a worker, and a second one of each during a release. */
const PROCESSES = 4
/** A worker listens on one more connection; havn migrate and a command of an operator have one each. */
const OTHER_CONNECTIONS = 4
const FREE_SHARE_MIN = 0.1
const FREE_BYTES_MIN = 1_000_000_000

export const SERVER_CHECKS = {
  'database-version': error('PostgreSQL is older than release 15'),
  'database-replica': error('the database is a replica'),
  'database-read-only': error('transactions are read-only'),
  'database-encoding': error('the encoding is not UTF8'),
  'database-collation': error('the collation of the system has changed since indexes were built'),
  'database-time-zone': note('sessions of the database are not in UTC (production)'),
  'database-fsync': error('fsync or full_page_writes is off', BACKUPS),
  'database-synchronous-commit': error('synchronous_commit is off', BACKUPS),
  'database-autovacuum': error('autovacuum is off'),
  'database-connections': error('too few connections for our processes'),
  'clock-skew-database': error('the clocks of this host and the database differ'),
}

export const DISK_CHECKS = {
  'database-disk': error("the database's disk is nearly full (where the database is on this machine)"),
}

/** What is wrong with the server. */
export function serverFindings(facts: DatabaseFacts, secondsAhead: number, config: Config): readonly Finding[] {
  return [
    ...stateFindings(facts),
    ...textFindings(facts, config.mode),
    ...durabilityFindings(facts),
    ...findingsOf('clock-skew-database', Math.abs(secondsAhead) > SKEW_SECONDS_MAX, () => ({
      problem: `The clock of this host is ${Math.abs(secondsAhead).toFixed(1)} s ${secondsAhead > 0 ? 'ahead of' : 'behind'} that of the database`,
      where: 'clock',
      action: 'Synchronise both hosts: timedatectl set-ntp true, then chronyc tracking or timedatectl timesync-status.',
    })),
  ]
}

/** Looked for first: an older server does not know all that the facts are made of. */
export async function versionFindings(pool: pg.Pool): Promise<readonly Finding[]> {
  const problem = await findServerVersionProblem(pool)
  return problem === undefined
    ? []
    : [{ check: 'database-version', problem, where: 'DATABASE_URL', action: SERVER_UPGRADE }]
}

function stateFindings({ isReplica, isReadOnly, databaseName }: DatabaseFacts) {
  return [
    ...findingsOf('database-replica', isReplica, () => ({
      problem: 'The server is a replica in recovery, which accepts no writes',
      where: 'DATABASE_URL',
      action: 'Name the primary, e.g. with several hosts and target_session_attrs=read-write.',
    })),
    ...findingsOf('database-read-only', isReadOnly && !isReplica, () => ({
      problem: 'default_transaction_read_only is on: every write fails',
      where: databaseName,
      action: `alter database "${databaseName}" reset default_transaction_read_only; the same of the user or the server if it stays on.`,
    })),
  ]
}

function textFindings(facts: DatabaseFacts, mode: Config['mode']): readonly Finding[] {
  const { encoding, collationVersion, collationVersionNow, timeZone, databaseName } = facts
  const isOutdated =
    collationVersion !== null && collationVersionNow !== null && collationVersion !== collationVersionNow
  return [
    ...findingsOf('database-encoding', encoding !== 'UTF8', () => ({
      problem: `The encoding of ${databaseName} is ${encoding}: names with æ, ø, å, ä or ö fail or are damaged`,
      where: databaseName,
      action: 'Create a database with encoding UTF8 from template0, and restore a dump into it.',
    })),
    ...findingsOf('database-collation', isOutdated, () => ({
      problem: `Indexes were built with version ${collationVersion} of the collation, and the system has ${collationVersionNow}: rows are not found, and unique keys not enforced`,
      where: databaseName,
      action: `reindex database "${databaseName}"; then alter database "${databaseName}" refresh collation version;`,
    })),
    ...findingsOf('database-time-zone', mode === 'production' && !/^(Etc\/)?(UTC|GMT)$/.test(timeZone), () => ({
      problem: `Sessions are in ${timeZone}. Havn is not affected; your own SQL cuts days at local midnight`,
      where: databaseName,
      action: `alter database "${databaseName}" set timezone to 'UTC';`,
    })),
  ]
}

function durabilityFindings(facts: DatabaseFacts): readonly Finding[] {
  const { fsync, fullPageWrites, synchronousCommit, autovacuum, databaseName } = facts
  return [
    ...findingsOf('database-fsync', fsync === 'off' || fullPageWrites === 'off', () => ({
      problem: `fsync is ${fsync} and full_page_writes is ${fullPageWrites}: a crash of the host damages the database`,
      where: 'postgresql.conf',
      action: 'alter system set fsync = on; alter system set full_page_writes = on; select pg_reload_conf();',
    })),
    ...findingsOf('database-synchronous-commit', synchronousCommit === 'off', () => ({
      problem: 'synchronous_commit is off: a crash loses orders that banks have, and they could be submitted twice',
      where: databaseName,
      action: `alter database "${databaseName}" set synchronous_commit to on; the same of the user or the server if it stays off.`,
    })),
    ...findingsOf('database-autovacuum', autovacuum === 'off', () => ({
      problem: 'autovacuum is off: tables grow, and statements become slow',
      where: 'postgresql.conf',
      action: 'alter system set autovacuum = on; select pg_reload_conf();',
    })),
  ]
}

/** Whether the server allows the connections of our processes; a pooler has limits of its own. */
export function connectionFindings(facts: DatabaseFacts, connectionsMax: number): readonly Finding[] {
  const needed = PROCESSES * connectionsMax + OTHER_CONNECTIONS
  const limits = {
    'max_connections of the server': facts.serverConnectionsMax,
    [`the limit of the database ${facts.databaseName}`]: facts.databaseConnectionsMax,
    [`the limit of the user ${facts.userName}`]: facts.userConnectionsMax,
  }
  const exceeded = Object.entries(limits).filter(([, max]) => max >= 0 && max < needed)
  return exceeded.map(([where, max]) => ({
    check: 'database-connections',
    problem: `Two gateways and two workers with HAVN_DATABASE_CONNECTIONS_MAX=${connectionsMax} need ${needed} connections, and ${where} allows ${max}`,
    where,
    action: `Raise it to at least ${needed}, or lower HAVN_DATABASE_CONNECTIONS_MAX.`,
  }))
}

/** PostgreSQL does not report free space: it is seen only where the data directory is on this machine. */
export async function diskFindings({ dataFolder }: DatabaseFacts, host: HostFacts): Promise<readonly Finding[]> {
  const free = dataFolder === null ? undefined : await host.freeSpace(dirname(dataFolder))
  return findingsOf(
    'database-disk',
    free !== undefined && (free.share < FREE_SHARE_MIN || free.bytes < FREE_BYTES_MIN),
    () => ({
      problem: `The disk of ${dataFolder} has ${Math.round((free?.bytes ?? 0) / 1e6)} MB left, ${Math.round((free?.share ?? 0) * 100)} % of it`,
      where: dataFolder ?? '',
      action: 'Enlarge the disk, or delete what else is on it. PostgreSQL stops when it is full.',
    }),
  )
}

const Text = Type.String()
const Flag = Type.Boolean()
const Count = Type.Integer()

const Facts = Type.Object({
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
  /** Null where it is on another machine, or our user may not know it. */
  dataFolder: Type.Union([Text, Type.Null()]),
})

/** Facts of a server, its database and our user there. */
export type DatabaseFacts = Static<typeof Facts>

/** Of a server on this machine. */
export const DATA_FOLDER = `case when pg_has_role('pg_read_all_settings', 'usage') and inet_server_addr() is not distinct from
  coalesce(inet_client_addr(), inet_server_addr()) then current_setting('data_directory') end`

const STATEMENT = `
  select pg_is_in_recovery() as "isReplica", current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
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
    d.datconnlimit as "databaseConnectionsMax", r.rolconnlimit as "userConnectionsMax", ${DATA_FOLDER} as "dataFolder"
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
