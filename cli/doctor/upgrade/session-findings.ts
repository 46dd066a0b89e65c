/** Checks what else happens in the database: transactions that hold locks, maintenance, replication and archiving. */
import { checksOf, type Finding, findingsOf } from '../check.ts'
import type { UpgradeFacts } from './upgrade-facts.ts'

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
