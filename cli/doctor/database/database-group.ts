/** Checks the database: that it can be reached and written, keeps what was committed, and has our schema. */
import type { CheckGroup } from '../check.ts'
import { CONNECTION_CHECKS, connectionFinding, openSession } from './open-session.ts'
import { isPooledServer, POOLER_CHECKS, poolerFindings } from './pooler-findings.ts'
import { SCHEMA_CHECKS, schemaFindings } from './schema-findings.ts'
import {
  connectionFindings,
  DISK_CHECKS,
  diskFindings,
  readDatabaseFacts,
  SERVER_CHECKS,
  serverFindings,
  versionFindings,
} from './server-findings.ts'

export const databaseGroup: CheckGroup = {
  title: 'Database',
  isOnline: false,
  checks: { ...CONNECTION_CHECKS, ...SERVER_CHECKS, ...POOLER_CHECKS, ...SCHEMA_CHECKS, ...DISK_CHECKS },
  inspect: async ({ database, config, host }) => {
    if (!('pool' in database)) {
      return database.error === undefined ? undefined : [connectionFinding(database.error, config.databaseUrl)]
    }
    const { pool, stores } = database
    const outdated = await versionFindings(pool)
    if (outdated.length > 0) {
      return outdated
    }
    const { facts, secondsAhead } = await readDatabaseFacts(pool, () => host.real())
    return [
      ...serverFindings(facts, secondsAhead, config),
      ...((await isPooledServer(pool)) ? [] : connectionFindings(facts, config.databaseConnectionsMax)),
      ...(await poolerFindings(pool, () => openSession(config.databaseUrl), config)),
      ...(await schemaFindings(stores, facts)),
      ...(await diskFindings(facts, host)),
    ]
  },
}
