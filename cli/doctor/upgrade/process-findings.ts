/** Checks which releases run now, and what their processes have not finished. */

import type { UnfinishedWork } from '../../../gateway/orders/store/unfinished-work.ts'
import type { RunningProcess } from '../../../gateway/platform/jobs/running-process.ts'
import program from '../../../package.json' with { type: 'json' }
import { checksOf, type Finding, findingsOf } from '../check.ts'

const { error, note, warning } = checksOf('operating/upgrades.md#before-an-upgrade')

export const PROCESS_CHECKS = {
  'upgrade-processes': note('which processes of which release run'),
  'upgrade-processes-newer': error('a process of a newer release than this one runs'),
  'upgrade-processes-mixed': warning('processes of two releases run already'),
  'upgrade-release-skipped': error(
    'processes of a release that cannot run together with this one, because releases are between them',
  ),
  'upgrade-drain': warning(
    'gateways end before a balancer has noticed that they stop',
    'operating/upgrades.md#without-interruption',
  ),
  'upgrade-orders-in-flight': note('orders are being submitted'),
  'upgrade-unknown-outcomes': warning('orders whose outcome is unknown'),
  'upgrade-payrolls': note('payrolls are being submitted'),
  'upgrade-deadline-near': warning('an exchange is to be decided within a quarter of an hour'),
}

const UNRECORDED = 'a release that did not record it'

export function processFindings(processes: readonly RunningProcess[], ours: string): readonly Finding[] {
  const alive = processes.filter(({ isAlive }) => isAlive)
  const releases = [...new Set(alive.map(({ release }) => release ?? UNRECORDED))].toSorted()
  const known = releases.filter((release) => release !== UNRECORDED)
  const newer = known.filter((release) => compareReleases(release, ours) > 0)
  const skipped = known.filter((release) => compareReleases(release, ours) < 0 && !isReleaseBefore(release, ours))
  const where = 'running processes'
  return [
    ...findingsOf('upgrade-processes', alive.length > 0, () => ({
      problem: releases.map((release) => `${countsOf(alive, release)} of ${release}`).join('; '),
      where,
      action: `After havn migrate, start processes of ${ours}, then stop these with SIGTERM, one at a time.`,
    })),
    ...findingsOf('upgrade-processes-newer', newer.length > 0, () => ({
      problem: `Processes of ${newer.join(', ')} run, and this is the older release ${ours}`,
      where,
      action: 'Use the newer release. To go back to this one, start its processes instead: no migration is needed.',
    })),
    ...findingsOf('upgrade-processes-mixed', releases.length > 1, () => ({
      problem: `Processes of ${releases.join(' and of ')} run: an upgrade has not been completed`,
      where,
      action: 'Complete it first: stop the processes of the older release.',
    })),
    ...findingsOf('upgrade-release-skipped', skipped.length > 0, () => ({
      problem: `Processes of ${skipped.join(', ')} run, which cannot run together with ${ours}`,
      where,
      action: 'Upgrade to the releases between, one after the other; or stop all processes before havn migrate.',
    })),
  ]
}

/** Several gateways are behind a balancer, which sends requests to one that stops until its next checks have failed. */
export function drainFindings(
  processes: readonly Pick<RunningProcess, 'role' | 'isAlive'>[],
  drainSeconds: number,
): readonly Finding[] {
  const gateways = processes.filter(({ role, isAlive }) => role === 'gateway' && isAlive).length
  return findingsOf('upgrade-drain', gateways > 1 && drainSeconds === 0, () => ({
    problem: `${gateways} gateways run, and each stops accepting requests as soon as it receives SIGTERM`,
    where: 'HAVN_DRAIN_SECONDS',
    action: "Set HAVN_DRAIN_SECONDS to more than the balancer's checks take to fail, e.g. 5, and restart the gateways.",
  }))
}

function countsOf(processes: readonly RunningProcess[], of: string): string {
  const roles = processes.filter(({ release }) => (release ?? UNRECORDED) === of).map(({ role }) => role)
  const byRole = [...Map.groupBy(roles, (role) => role)]
  return byRole.map(([role, { length }]) => `${length} ${role}${length === 1 ? '' : 's'}`).join(' and ')
}

export function workFindings({ inFlight, unknown, payrolls, deadlines }: UnfinishedWork): readonly Finding[] {
  return [
    ...findingsOf('upgrade-orders-in-flight', inFlight > 0, () => ({
      problem: `${inFlight} orders are at their banks without a recorded answer: if their process is killed, the outcome becomes unknown`,
      where: 'payments',
      action:
        'Stop processes with SIGTERM only, and allow them HAVN_BANK_ANSWER_TIMEOUT_SECONDS and ten seconds to end.',
    })),
    ...findingsOf('upgrade-unknown-outcomes', unknown > 0, () => ({
      problem: `The outcome of ${unknown} orders is unknown`,
      where: 'havn tasks list',
      action: 'Resolve them first where you can, so that causes before and after the upgrade are not confused.',
    })),
    ...findingsOf('upgrade-payrolls', payrolls > 0, () => ({
      problem: `${payrolls} payrolls are being submitted`,
      where: 'havn payroll list',
      action: 'Do not stop all workers at once: another worker continues within 20 seconds.',
    })),
    ...findingsOf('upgrade-deadline-near', deadlines > 0, () => ({
      problem: `The deadline of ${deadlines} exchanges has passed, or passes within a quarter of an hour`,
      where: 'havn deal list',
      action: 'Wait until they are decided, or leave one worker running all the time.',
    })),
  ]
}

export const OURS: string = program.version

/** Negative where the first is older. */
function compareReleases(one: string, other: string): number {
  const right = numbersOf(other)
  const differences = numbersOf(one).map((number, index) => number - (right[index] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}

/** The same minor version, the one before it, or, for the first of a major version, any of the major one before. */
function isReleaseBefore(former: string, ours: string): boolean {
  const [formerMajor = 0, formerMinor = 0] = numbersOf(former)
  const [major = 0, minor = 0] = numbersOf(ours)
  return formerMajor === major ? minor - formerMinor <= 1 : major - formerMajor === 1 && minor === 0
}

function numbersOf(version: string): readonly number[] {
  const [release = ''] = version.split(/[-+]/)
  return release.split('.').map(Number)
}
