/** Renders a run as JUnit XML, one test suite for each group and one test case for each check. */
import { html } from 'ghtml'
import type { CheckResult } from '../check.ts'
import type { ConformanceRun } from '../run/run-conformance.ts'
import { countStatuses, type GroupSummary, summariseGroups } from './summary.ts'

/** The whole document; `startedAt` is ISO 8601. */
export function junitReport(run: ConformanceRun, startedAt: string): string {
  return withoutControls(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="havn conform" ${countAttributes(run.results)} timestamp="${startedAt}">
${summariseGroups(run).map(suite).join('\n')}
</testsuites>
`)
}

function suite({ group, results }: GroupSummary): string {
  return html`  <testsuite name="${group.title}" !${countAttributes(results)}>
!${results.map(testCase).join('\n')}
  </testsuite>`
}

function testCase({ check, group, status, problems, milliseconds }: CheckResult): string {
  const details = [`${check.rule} (${check.reference})`, ...problems].join('\n')
  const outcome = {
    passed: '',
    skipped: html`<skipped message="${problems[0] ?? ''}"/>`,
    failed: html`<failure message="${problems[0] ?? ''}">${details}</failure>`,
  }[status]
  return html`    <testcase classname="${group.id}" name="${check.id}: ${check.title}" time="${seconds(milliseconds)}">!${outcome}</testcase>`
}

function countAttributes(results: readonly CheckResult[]): string {
  const { failed, skipped } = countStatuses(results)
  const time = seconds(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0))
  return `tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${time}"`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3)
}

/** XML 1.0 excludes control characters. */
function withoutControls(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '�')
}
