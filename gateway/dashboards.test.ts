/** Compares the dashboards of Grafana with the metrics that exist, and requires that each panel explains itself. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { missingIn } from './testing/metrics/metric-references.ts'

const FOLDER = new URL('../deploy/monitoring/grafana/', import.meta.url)

type Panel = {
  readonly id: number
  readonly title?: string
  readonly description?: string
  readonly fieldConfig?: { readonly defaults?: { readonly unit?: string } }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.json'))
const dashboards = await Promise.all(
  files.map(async (file) => ({
    file,
    ...(JSON.parse(await readFile(new URL(file, FOLDER), 'utf8')) as {
      readonly uid: string
      readonly title: string
      readonly panels: readonly Panel[]
    }),
  })),
)
const panels = dashboards.flatMap((dashboard) =>
  dashboard.panels.map((panel) => ({ ...panel, name: `${dashboard.file}: ${panel.title}` })),
)

test('there is one dashboard for operators and one for capacity, each with an id of its own', () => {
  expect(dashboards.map(({ file, uid }) => [file, uid])).toEqual([
    ['havn-capacity.json', 'havn-capacity'],
    ['havn-operations.json', 'havn-operations'],
  ])
})

test('every metric and label of a panel exists, also the labels that its legend shows', () => {
  const missing = panels.flatMap(({ name, targets }) =>
    targets.flatMap(({ expr, legendFormat }) => [
      ...missingIn(expr).map((what) => `${name}: ${what}`),
      ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
        .filter(([, label = '']) => !new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr))
        .map(([label]) => `${name}: legend ${label}`),
    ]),
  )
  expect(panels.flatMap(({ targets }) => targets).length).toBeGreaterThan(25)
  expect(missing).toEqual([])
})

test('every panel has a title, a description, a unit, and a place that no other panel of its dashboard has', () => {
  expect(
    panels.filter(({ title, description, fieldConfig }) => !title || !description || !fieldConfig?.defaults?.unit),
  ).toEqual([])
  for (const { file, panels: own } of dashboards) {
    const fields = own.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    )
    expect(new Set(fields).size, file).toBe(fields.length)
    expect(new Set(own.map(({ id }) => id)).size, file).toBe(own.length)
  }
})
