/** Compares the alert rules for Prometheus with the metrics that exist and with the runbook. */
import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { taskAdvice } from './operators/operator-task.ts'
import { groupedLabels, labelsOf, missingIn } from './testing/metrics/metric-references.ts'

const rules = await readFile(new URL('../deploy/monitoring/havn-alerts.yml', import.meta.url), 'utf8')
const runbook = await readFile(new URL('../docs/operating/alerts.md', import.meta.url), 'utf8')
const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    name: text.slice(0, text.indexOf('\n')),
    expression: /expr: >-\n([\s\S]*?)\n {8}for:/.exec(text)?.[1] ?? '',
    runbookUrl: /runbook_url: (\S+)/.exec(text)?.[1],
    labelsShown: [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label),
  }))

test('every metric and label of an alert rule exists', () => {
  expect(alerts.length).toBeGreaterThan(20)
  const missing = alerts.flatMap(({ name, expression, labelsShown }) => {
    // What does not group has the labels of its series.
    const grouped = groupedLabels(expression)
    const shown = grouped.length === 0 && /^up\b/.test(expression.trim()) ? labelsOf('up') : grouped
    return [
      ...missingIn(expression).map((what) => `${name}: ${what}`),
      ...labelsShown.filter((label) => shown?.includes(label) !== true).map((label) => `${name}: $labels.${label}`),
    ]
  })
  expect(missing).toEqual([])
})

test('every kind of operator task that an alert names exists', () => {
  const kinds = [...rules.matchAll(/kind!?="(\w+)"/g)].map(([, kind = '']) => kind)
  expect(kinds).not.toEqual([])
  expect(kinds.filter((kind) => !Object.hasOwn(taskAdvice, kind))).toEqual([])
})

test('every alert has a runbook entry with its meaning, what to look at and what to do, and links to it', () => {
  const entries = new Map(
    runbook
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')), text]),
  )
  expect([...entries.keys()]).toEqual(alerts.map(({ name }) => name))
  for (const { name, runbookUrl } of alerts) {
    expect(runbookUrl, name).toBe(`docs/operating/alerts.md#${name.toLowerCase()}`)
    expect(entries.get(name), name).toMatch(/\*\*Meaning\*\*: [\s\S]+\*\*Look at\*\*: [\s\S]+\*\*Do\*\*: /)
  }
})

test('every alert has a cause in the trial that makes each one fire', async () => {
  const files = await Array.fromAsync(glob(new URL('testing/alerts/*.ts', import.meta.url).pathname))
  const trial = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('')
  expect(alerts.map(({ name }) => name).filter((name) => !trial.includes(`'${name}'`))).toEqual([])
})
