/** Compares the alert rules for Prometheus with the metrics that exist and with the runbook. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { taskKinds } from './operators/operator-task.ts'
import { openMetrics } from './platform/observability/metrics.ts'

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

/** The labels that Prometheus adds to what it scrapes. */
const SCRAPE_LABELS = ['job', 'instance']

/** The label names of a metric of ours, also by the name of a histogram's series; undefined when there is none. */
function labelsOf(name: string): string[] | undefined {
  const { registry } = openMetrics({ processMetrics: false })
  const metric = registry.getSingleMetric(name) ?? registry.getSingleMetric(name.replace(/_(count|sum|bucket)$/, ''))
  return metric && String(Reflect.get(metric, 'labelNames')).split(',').filter(Boolean)
}

function selectors(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/\b(havn_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label = '']) => label),
  }))
}

test('every metric and label of an alert rule exists', () => {
  expect(alerts.length).toBeGreaterThan(20)
  const missing = alerts.flatMap(({ name, expression, labelsShown }) => {
    const used = selectors(expression)
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
    const known = used.flatMap((one) => labelsOf(one.name) ?? [])
    return [
      ...used.filter((one) => labelsOf(one.name) === undefined).map((one) => `${name}: ${one.name}`),
      ...used.flatMap((one) =>
        one.labels.filter((label) => labelsOf(one.name)?.includes(label) === false).map((label) => `${name}: ${label}`),
      ),
      ...grouped.filter((label) => !known.includes(label)).map((label) => `${name}: by ${label}`),
      ...labelsShown
        .filter((label) => !(used.length === 0 ? SCRAPE_LABELS : grouped).includes(label))
        .map((label) => `${name}: $labels.${label}`),
    ]
  })
  expect(missing).toEqual([])
})

test('every kind of operator task that an alert names exists', () => {
  const kinds = [...rules.matchAll(/kind!?="(\w+)"/g)].map(([, kind = '']) => kind)
  expect(kinds).not.toEqual([])
  expect(kinds.filter((kind) => !Object.hasOwn(taskKinds, kind))).toEqual([])
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
