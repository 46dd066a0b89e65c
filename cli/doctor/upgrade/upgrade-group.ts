/** Checks, before the migrations of this release run, what would break the upgrade. */
import { countUnfinishedWork } from '../../../gateway/orders/store/unfinished-work.ts'
import { listRunningProcesses } from '../../../gateway/platform/jobs/running-process.ts'
import { type CheckGroup, clockOf } from '../check.ts'
import { MIGRATION_CHECKS, migrationFindings, readMigrationState, sizeFindings } from './migration-findings.ts'
import { drainFindings, OURS, PROCESS_CHECKS, processFindings, workFindings } from './process-findings.ts'
import { readUpgradeFacts, replicationFindings, SESSION_CHECKS, sessionFindings } from './session-findings.ts'

/** Findings of other groups that the upgrade removes, or that this group describes. */
export const EXPECTED_BEFORE_UPGRADE: readonly string[] = ['migrations-pending', 'migrations-unknown']

export const upgradeGroup: CheckGroup = {
  title: 'Upgrade to this release',
  isOnline: false,
  isBeforeUpgrade: true,
  checks: { ...MIGRATION_CHECKS, ...PROCESS_CHECKS, ...SESSION_CHECKS },
  inspect: async ({ database, config, host }) => {
    if (!('pool' in database)) {
      return undefined
    }
    const { pool, stores } = database
    const { rows } = await pool.query<{ found: boolean }>(
      "select to_regclass('running_processes') is not null and not pg_is_in_recovery() as found",
    )
    if (rows[0]?.found !== true) {
      return undefined
    }
    const facts = await readUpgradeFacts(pool)
    const state = await readMigrationState(pool)
    const processes = await listRunningProcesses({ database: stores, clock: clockOf(host) })
    return [
      ...migrationFindings(state, facts),
      ...(await sizeFindings(state, facts, host)),
      ...processFindings(processes, OURS),
      ...drainFindings(processes, config.drainSeconds),
      ...workFindings(await countUnfinishedWork(stores)),
      ...sessionFindings(facts, config.databaseConnectionsMax),
      ...replicationFindings(facts),
    ]
  },
}
