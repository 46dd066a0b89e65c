/** Checks the server of the database: version, durability, encoding, clock and connections. */
import type { Config } from '../../../gateway/config/config.ts'
import { checksOf, type Finding, findingsOf } from '../check.ts'
import type { DatabaseFacts } from './database-facts.ts'

const { error, note } = checksOf('operating.md#what-runs')
const BACKUPS = 'operating.md#backups'
const VERSION_NUMBER_MIN = 150_000
const SKEW_SECONDS_MAX = 2
/** A gateway and a worker, and a second one of each during a release. */
const PROCESSES = 4
/** A worker listens on one more connection; havn migrate and a command of an operator have one each. */
const OTHER_CONNECTIONS = 4

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

function stateFindings({ versionNumber, version, isReplica, isReadOnly, databaseName }: DatabaseFacts) {
  return [
    ...findingsOf('database-version', versionNumber < VERSION_NUMBER_MIN, () => ({
      problem: `The server is PostgreSQL ${version}, and Havn needs 15 or newer`,
      where: 'DATABASE_URL',
      action: 'Upgrade the server with pg_upgrade, or move the database to a newer one.',
    })),
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
