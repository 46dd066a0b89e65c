/** Runs the groups of checks side by side, each with a time limit. */

import { banksGroup } from './banks/banks-group.ts'
import { certificatesGroup } from './certificates/certificates-group.ts'
import { type CheckGroup, checksOf, type Finding, type Installation, type Level } from './check.ts'
import { databaseGroup } from './database/database-group.ts'
import { filesGroup } from './files/files-group.ts'
import { hostGroup } from './host/host-group.ts'
import { providersGroup } from './providers/providers-group.ts'
import { publicGroup } from './public/public-group.ts'
import { settingsGroup } from './settings/settings-group.ts'
import { EXPECTED_BEFORE_UPGRADE, upgradeGroup } from './upgrade/upgrade-group.ts'

/** All groups in the order in which they are reported, by the name that `--skip` takes. */
export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = {
  settings: settingsGroup,
  files: filesGroup,
  database: databaseGroup,
  host: hostGroup,
  certificates: certificatesGroup,
  banks: banksGroup,
  providers: providersGroup,
  public: publicGroup,
  upgrade: upgradeGroup,
}

/** The finding of a group that did not end, or that failed for a reason that no check names. */
export const UNFINISHED = checksOf('operating/incidents.md').warning(
  'the checks of a group did not end, or failed for an unknown reason',
)

/** Which groups run. */
export type Selection = {
  readonly offline: boolean
  readonly skip: readonly string[]
  /** Whether the migrations of this release have not run yet. */
  readonly beforeUpgrade: boolean
}

/** A finding with what its check says of it. */
export type ReportedFinding = Finding & { readonly level: Level; readonly see: string }

/** The result of a group. */
export type GroupReport = {
  readonly name: string
  readonly title: string
  readonly checks: number
  readonly findings: readonly ReportedFinding[]
  /** Why nothing was checked. */
  readonly skipped?: string
}

/** A group reaches several hosts at once; each of its own limits is shorter. */
const GROUP_MILLISECONDS = 30_000

/** Runs the selected groups; `report` gets each in order as soon as it and those before it have ended. */
export async function inspectInstallation(
  installation: Installation,
  selection: Selection,
  report: (group: GroupReport) => void,
): Promise<readonly GroupReport[]> {
  const groups = Object.entries(CHECK_GROUPS).filter(
    ([, { isBeforeUpgrade = false }]) => selection.beforeUpgrade || !isBeforeUpgrade,
  )
  const running = groups.map(([name, group]) => reportOf({ name, group }, installation, selection))
  const reports: GroupReport[] = []
  for (const each of running) {
    const ended = await each
    reports.push(ended)
    report(ended)
  }
  return reports
}

async function reportOf(
  { name, group }: { readonly name: string; readonly group: CheckGroup },
  installation: Installation,
  { offline, skip, beforeUpgrade }: Selection,
): Promise<GroupReport> {
  const known = { name, title: group.title, checks: Object.keys(group.checks).length, findings: [] }
  if (skip.includes(name) || (offline && group.isOnline)) {
    return { ...known, skipped: skip.includes(name) ? '--skip' : '--offline' }
  }
  const findings = await withinLimit(name, group.inspect(installation))
  if (findings === undefined) {
    return { ...known, skipped: 'the database or a setting that they need is missing' }
  }
  const shown = findings.filter(({ check }) => !(beforeUpgrade && EXPECTED_BEFORE_UPGRADE.includes(check)))
  return {
    ...known,
    findings: shown.map((found) => {
      const { level, see } = group.checks[found.check] ?? UNFINISHED
      return { ...found, level, see: `docs/${see}` }
    }),
  }
}

async function withinLimit(
  name: string,
  work: Promise<readonly Finding[] | undefined>,
): Promise<readonly Finding[] | undefined> {
  const limit = Promise.withResolvers<readonly Finding[]>()
  const unfinished = (problem: string) => [
    {
      check: 'group-unfinished',
      problem,
      where: name,
      action: `Correct the other findings first, or use --skip ${name}.`,
    },
  ]
  const timer = setTimeout(() => {
    limit.resolve(unfinished(`The checks did not end within ${GROUP_MILLISECONDS / 1_000} seconds`))
  }, GROUP_MILLISECONDS)
  try {
    return await Promise.race([work, limit.promise])
  } catch (error) {
    return unfinished(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}
