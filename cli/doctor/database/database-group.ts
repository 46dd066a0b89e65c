/** Checks the database: that it can be reached and written, keeps what was committed, and has our schema. */
import { dirname } from 'node:path'
import type pg from 'pg'
import { type CheckGroup, checksOf, type Finding, findingsOf, type HostFacts } from '../check.ts'
import { readDatabaseFacts } from './database-facts.ts'
import { CONNECTION_CHECKS, connectionFinding, openSession } from './open-session.ts'
import { isPooledServer, POOLER_CHECKS, poolerFindings } from './pooler-findings.ts'
import { SCHEMA_CHECKS, schemaFindings } from './schema-findings.ts'
import { connectionFindings, SERVER_CHECKS, serverFindings } from './server-findings.ts'
import { TIMELINE_CHECKS } from './timeline-findings.ts'

const { error } = checksOf('operating.md#what-runs')
const FREE_SHARE_MIN = 0.1
const FREE_BYTES_MIN = 1_000_000_000

const DISK_CHECKS = {
  'database-disk': error("the database's disk is nearly full (where the database is on this machine)"),
}

export const databaseGroup: CheckGroup = {
  title: 'Database',
  isOnline: false,
  checks: {
    ...{
      ...CONNECTION_CHECKS,
      ...SERVER_CHECKS,
      ...POOLER_CHECKS,
      ...SCHEMA_CHECKS,
      ...TIMELINE_CHECKS,
      ...DISK_CHECKS,
    },
  },
  inspect: async ({ database, config, host }) => {
    if (!('pool' in database)) {
      return database.error === undefined ? undefined : [connectionFinding(database.error, config.databaseUrl)]
    }
    const { pool, stores } = database
    const { facts, secondsAhead } = await readDatabaseFacts(pool, () => host.real())
    return [
      ...serverFindings(facts, secondsAhead, config),
      ...((await isPooledServer(pool)) ? [] : connectionFindings(facts, config.databaseConnectionsMax)),
      ...(await poolerFindings(pool, () => openSession(config.databaseUrl), config)),
      ...(await schemaFindings(stores, facts)),
      ...(await diskFindings(pool, host)),
    ]
  },
}

/** PostgreSQL does not report free space: it is seen only where the data directory is on this machine. */
async function diskFindings(pool: pg.Pool, host: HostFacts): Promise<readonly Finding[]> {
  const { rows } = await pool.query<{ folder: string | null }>(
    `select case when pg_has_role('pg_read_all_settings', 'usage') and inet_server_addr() is not distinct from
       coalesce(inet_client_addr(), inet_server_addr()) then current_setting('data_directory') end as folder`,
  )
  const folder = rows[0]?.folder ?? null
  const free = folder === null ? undefined : await host.freeSpace(dirname(folder))
  return findingsOf(
    'database-disk',
    free !== undefined && (free.share < FREE_SHARE_MIN || free.bytes < FREE_BYTES_MIN),
    () => ({
      problem: `The disk of ${folder} has ${Math.round((free?.bytes ?? 0) / 1e6)} MB left, ${Math.round((free?.share ?? 0) * 100)} % of it`,
      where: folder ?? '',
      action: 'Enlarge the disk, or delete what else is on it. PostgreSQL stops when it is full.',
    }),
  )
}
