/** Summarises a run: counts for each group, and what failed or was skipped, as text and as data. */
import type { CheckGroup, CheckResult, CheckStatus } from '../check.ts'
import type { ConformanceRun } from '../run/run-conformance.ts'

export type StatusCounts = Readonly<Record<CheckStatus, number>>
export type GroupSummary = {
  readonly group: CheckGroup
  readonly results: readonly CheckResult[]
  readonly counts: StatusCounts
}

const PROBLEMS_SHOWN_MAX = 5

export function countStatuses(results: readonly CheckResult[]): StatusCounts {
  const count = (wanted: CheckStatus) => results.filter(({ status }) => status === wanted).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** The groups of a run that have results, in their order. */
export function summariseGroups({ results }: ConformanceRun): readonly GroupSummary[] {
  return [...new Set(results.map(({ group }) => group))].map((group) => {
    const ofGroup = results.filter((result) => result.group === group)
    return { group, results: ofGroup, counts: countStatuses(ofGroup) }
  })
}

/** Whether the server conforms, as far as it was checked. */
export function isConformant({ results }: ConformanceRun): boolean {
  return results.every(({ status }) => status !== 'failed')
}

/** For a terminal: a table of the groups, then every failed check, then the reasons for skipped ones. */
export function summaryText(run: ConformanceRun): string {
  const { passed, failed, skipped } = countStatuses(run.results)
  const conclusion = failed === 0 ? 'The server conforms.' : 'The server does not conform.'
  return [
    ...summariseGroups(run).map(groupLine),
    ...run.results.filter(({ status }) => status === 'failed').map(failureText),
    ...skippedTexts(run.results),
    '',
    `${passed} passed, ${failed} failed, ${skipped} skipped. ${conclusion}`,
  ].join('\n')
}

function groupLine({ group, counts: { passed, failed, skipped } }: GroupSummary): string {
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `${failed > 0 ? '✗' : '✓'} ${group.title.padEnd(18)} ${parts.join(', ')}`
}

/** A failed check with its rule and what violates it. */
export function failureText({ check, problems }: CheckResult): string {
  const more = problems.length - PROBLEMS_SHOWN_MAX
  return [
    '',
    `✗ ${check.id}: ${check.title}`,
    `  Rule: ${check.rule} (${check.reference})`,
    ...problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => `  - ${problem}`),
    ...(more > 0 ? [`  - and ${more} more`] : []),
  ].join('\n')
}

/** One line for each reason. */
function skippedTexts(results: readonly CheckResult[]): readonly string[] {
  const skipped = results.filter(({ status }) => status === 'skipped')
  const byReason = Map.groupBy(skipped, ({ problems }) => problems.join('; '))
  const lines = [...byReason].map(([reason, of]) => `- ${of.map(({ check }) => check.id).join(', ')}: ${reason}`)
  return lines.length === 0 ? [] : ['', 'Skipped:', ...lines]
}

/** For `--json`: every check with its outcome. */
export function summaryJson(run: ConformanceRun) {
  return {
    baseUrl: run.target.baseUrl,
    sandbox: run.target.isSandbox,
    conformant: isConformant(run),
    ...countStatuses(run.results),
    checks: run.results.map(({ check, group, status, problems, milliseconds }) => ({
      id: check.id,
      group: group.id,
      title: check.title,
      rule: check.rule,
      reference: check.reference,
      status,
      problems,
      milliseconds: Math.round(milliseconds),
    })),
  }
}
