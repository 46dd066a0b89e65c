/** Renders a run as JUnit XML, one test suite for each group and one test case for each check. */
import type { CheckResult } from '../check.ts'
import type { ConformanceRun } from '../run/run-conformance.ts'
import { countStatuses, type GroupSummary, summariseGroups } from './summary.ts'

/** The whole document; `startedAt` is ISO 8601. */
export function junitReport(run: ConformanceRun, startedAt: string): string {
  const counts = countAttributes(run.results)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="havn conform" ${counts} timestamp="${escaped(startedAt)}">`,
    ...summariseGroups(run).flatMap(suite),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite({ group, results }: GroupSummary): readonly string[] {
  return [
    `  <testsuite name="${escaped(group.title)}" ${countAttributes(results)}>`,
    ...results.flatMap(testCase),
    '  </testsuite>',
  ]
}

function testCase({ check, group, status, problems, milliseconds }: CheckResult): readonly string[] {
  const opened = `    <testcase classname="${escaped(group.id)}" name="${escaped(`${check.id}: ${check.title}`)}" time="${seconds(milliseconds)}"`
  const message = escaped(problems[0] ?? '')
  if (status === 'passed') {
    return [`${opened}/>`]
  }
  if (status === 'skipped') {
    return [`${opened}>`, `      <skipped message="${message}"/>`, '    </testcase>']
  }
  const details = [`${check.rule} (${check.reference})`, ...problems].join('\n')
  return [`${opened}>`, `      <failure message="${message}">${escaped(details)}</failure>`, '    </testcase>']
}

function countAttributes(results: readonly CheckResult[]): string {
  const { failed, skipped } = countStatuses(results)
  const time = seconds(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0))
  return `tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${time}"`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3)
}

/** Text for attributes and elements, without the control characters that XML 1.0 excludes. */
function escaped(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, (character) => (/[\n\t]/.test(character) ? character : '�'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
