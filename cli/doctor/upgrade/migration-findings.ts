/** Checks whether the pending migrations can run: rights, disk, the size of what they change, other migrations. */
import { dirname } from 'node:path'
import type pg from 'pg'
import { type Migration, readMigrations } from '../../../gateway/platform/database/migration/migration-file.ts'
import { MIGRATIONS } from '../../../gateway/readiness.ts'
import { checksOf, type Finding, findingsOf, type HostFacts } from '../check.ts'
import type { UpgradeFacts } from './session-findings.ts'

const { error, note, warning } = checksOf('operating/upgrades.md#before-an-upgrade')
/** An index on more takes longer than the 15 seconds after which gateways cancel a statement that waits. */
const LARGE_TABLE_BYTES = 1e9
/** What migrations may write next to a copy of the tables that they change: WAL and sorts. */
const DISK_RESERVE_BYTES = 1e9
const CHANGED_TABLE =
  /\b(?:alter table(?: if exists)?(?: only)?|update|delete from|create (?:unique )?index(?: concurrently)?(?: \w+)? on) (\w+)/gi
const REWRITTEN_TABLE =
  /\b(?:update|delete from|create (?:unique )?index(?: concurrently)?(?: \w+)? on) (\w+)|\balter table (\w+)\b(?:(?!\balter table\b)[^;])*\btype\b/gi

export const MIGRATION_CHECKS = {
  'upgrade-migrations': note('which migrations of this release will run'),
  'upgrade-older': error('the database was migrated by a newer release than this one'),
  'upgrade-running': error('a migration is running'),
  'upgrade-owner': error('the user of the database may not change the tables that migrations change'),
  'upgrade-table-large': warning(
    'a migration writes to or indexes a table so large that requests wait for it and fail',
  ),
  'upgrade-disk': error('the disk is too full for what migrations write'),
  'upgrade-disk-unknown': note('migrations need disk, and that of the database is not on this machine'),
}

/** A migration that will run, with the tables that it changes, and those that it writes to or indexes. */
export type PendingMigration = {
  readonly name: string
  readonly changed: readonly string[]
  readonly rewritten: readonly string[]
  /** Writes to its tables wait until it has ended. */
  readonly isBlocking: boolean
}

/** The migrations that the database lacks, and the names of those that this release does not know. */
export type MigrationState = { readonly pending: readonly PendingMigration[]; readonly unknown: readonly string[] }

export async function readMigrationState(pool: pg.Pool): Promise<MigrationState> {
  const known = await readMigrations(MIGRATIONS)
  const { rows } = await pool.query<{ number: number; name: string }>(
    'select number, name from migrations order by number',
  )
  const stored = new Set(rows.map(({ number }) => number))
  return {
    pending: known.filter(({ number }) => !stored.has(number)).map(pendingMigration),
    unknown: rows.filter(({ number }) => number > known.length).map(({ name }) => name),
  }
}

/** Reads of the statements of a migration which tables they change. */
export function pendingMigration({ name, sql, index }: Pick<Migration, 'name' | 'sql' | 'index'>): PendingMigration {
  const statements = sql.replaceAll(/--.*$/gm, '')
  const tablesIn = (pattern: RegExp) =>
    [...new Set([...statements.matchAll(pattern)].map(([, table, retyped]) => table ?? retyped ?? ''))].toSorted()
  return { name, changed: tablesIn(CHANGED_TABLE), rewritten: tablesIn(REWRITTEN_TABLE), isBlocking: index === null }
}

export function migrationFindings({ pending, unknown }: MigrationState, facts: UpgradeFacts): readonly Finding[] {
  const changed = new Set(pending.flatMap((one) => one.changed))
  const foreign = facts.tables.filter(({ name, isOwned }) => changed.has(name) && !isOwned).map(({ name }) => name)
  const where = 'migrations'
  return [
    ...findingsOf('upgrade-older', unknown.length > 0, () => ({
      problem: `The database has migrations that this release does not know: ${unknown.join(', ')}`,
      where,
      action: 'Install the release that made them, or a newer one: havn migrate of this one changes nothing.',
    })),
    ...findingsOf('upgrade-running', facts.isMigrating, () => ({
      problem: 'Another havn migrate is running, or waits for a lock',
      where,
      action: 'Wait until it has ended, then run this check again.',
    })),
    ...findingsOf('upgrade-owner', pending.length > 0 && (foreign.length > 0 || !facts.canCreate), () => ({
      problem:
        foreign.length > 0
          ? `The user of DATABASE_URL does not own ${foreign.join(', ')}`
          : 'The user of DATABASE_URL may not create tables in the schema',
      where: 'DATABASE_URL',
      action: 'Run havn migrate as the owner of the tables, with its DATABASE_URL.',
    })),
    ...findingsOf('upgrade-migrations', pending.length > 0, () => ({
      problem: `Pending migrations: ${pending.map(describeMigration).join('; ')}`,
      where,
      action: 'havn migrate, while gateways and workers of the release before go on running.',
    })),
  ]
}

function describeMigration({ name, changed }: PendingMigration): string {
  return changed.length === 0 ? name : `${name} (changes ${changed.join(', ')})`
}

/** What the sizes of the tables require. */
export async function sizeFindings(
  { pending }: MigrationState,
  { tables, dataFolder }: UpgradeFacts,
  host: HostFacts,
): Promise<readonly Finding[]> {
  const rewritten = new Set(pending.flatMap((one) => one.rewritten))
  const blocked = new Set(pending.filter(({ isBlocking }) => isBlocking).flatMap((one) => one.rewritten))
  const affected = tables.filter(({ name }) => rewritten.has(name))
  const bytes = affected.reduce((sum, table) => sum + table.bytes, 0)
  const free = dataFolder === null ? undefined : await host.freeSpace(dirname(dataFolder))
  const needed = bytes + DISK_RESERVE_BYTES
  const where = dataFolder ?? 'the host of the database'
  return [
    ...affected
      .filter(({ name, bytes }) => bytes > LARGE_TABLE_BYTES && blocked.has(name))
      .map((table) => ({
        check: 'upgrade-table-large',
        problem: `A migration writes to or indexes ${table.name} (${gigabytes(table.bytes)} GB): writes to it wait meanwhile`,
        where: table.name,
        action: 'Migrate when few requests come, and tell the partners: some requests may fail.',
      })),
    ...findingsOf('upgrade-disk', pending.length > 0 && free !== undefined && free.bytes < needed, () => ({
      problem: `The migrations may write ${gigabytes(needed)} GB, and ${gigabytes(free?.bytes ?? 0)} GB are free`,
      where,
      action: 'Enlarge the disk first. A migration without space is rolled back, and PostgreSQL may stop.',
    })),
    ...findingsOf('upgrade-disk-unknown', bytes > 0 && free === undefined, () => ({
      problem: `The migrations may write ${gigabytes(needed)} GB`,
      where,
      action: 'Check there that so much is free: df -h',
    })),
  ]
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1)
}
