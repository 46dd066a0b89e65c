/** Draws stacked bars over days as SVG, which a screen reader takes as one picture: the numbers are in a table. */
import type * as PlotModule from '@observablehq/plot'
import { html } from 'ghtml'
import type { parseHTML as ParseHtml } from 'linkedom'
import { formatCount } from '../markup/format-money.ts'
import { formatDayOfMonth } from '../markup/format-time.ts'

export type BarChart = {
  /** What the picture shows, for those who cannot see it. */
  readonly name: string
  readonly days: readonly Temporal.PlainDate[]
  /** From the bottom up. `colour` is the name of a colour of the style sheet: `settled` for `--chart-settled`. */
  readonly series: readonly { readonly label: string; readonly colour: string; readonly values: readonly number[] }[]
}

/** Phones get a picture of their own: a wide one would be illegible there. */
const SIZES = [
  { className: 'chart wide', width: 960, height: 260, daysPerLabel: 5 },
  { className: 'chart narrow', width: 340, height: 220, daysPerLabel: 10 },
] as const
const MARGINS = { marginLeft: 56, marginRight: 8, marginTop: 12, marginBottom: 28 }
/** Plot's own style element, which the Content-Security-Policy rejects, and names of parts, which a picture has none. */
const LEFT_OUT = /<style>[^<]*<\/style>| aria-(label|hidden)="[^"]*"/g
const LONG_DECIMALS = /(\.\d{2})\d+/g

/** A legend, and the chart in both sizes. */
export async function stackedBarChart(chart: BarChart): Promise<string> {
  const draw = await loadPlot()
  const legend = chart.series.map(
    ({ label, colour }) => html`<li><span class="swatch ${colour}" aria-hidden="true"></span> ${label}</li>`,
  )
  return html`<ul class="legend">!${legend.join('\n')}</ul>
!${SIZES.map((size) => draw(chart, size)).join('\n')}`
}

type Draw = (chart: BarChart, size: (typeof SIZES)[number]) => string

let loading: Promise<Draw> | undefined

/** The library takes memory and time to load, which only processes pay that show a chart. */
function loadPlot(): Promise<Draw> {
  loading ??= Promise.all([import('@observablehq/plot'), import('linkedom')]).then(([plot, { parseHTML }]) => {
    const { document } = parseHTML('<!doctype html><html lang="en"></html>')
    return (chart, size) => drawWith(plot, document, chart, size)
  })
  return loading
}

function drawWith(
  { barY, plot, ruleY }: typeof PlotModule,
  document: ReturnType<typeof ParseHtml>['document'],
  { name, days, series }: BarChart,
  { className, width, height, daysPerLabel }: (typeof SIZES)[number],
): string {
  const keys = days.map(String)
  const bars = series.flatMap(({ label, values }) => keys.map((day, n) => ({ day, label, value: values[n] ?? 0 })))
  const svg = plot({
    document,
    width,
    height,
    ...MARGINS,
    className: 'plot',
    x: {
      type: 'band',
      domain: keys,
      label: null,
      padding: 0.2,
      tickSize: 0,
      // The last day, which is today, always has a label.
      ticks: keys.filter((_, n) => (keys.length - 1 - n) % daysPerLabel === 0),
      tickFormat: (day: string) => formatDayOfMonth(Temporal.PlainDate.from(day)),
    },
    y: { label: null, grid: true, ticks: 4, tickSize: 0, nice: true, tickFormat: integerLabel },
    color: { domain: series.map(({ label }) => label), range: series.map(({ colour }) => `var(--chart-${colour})`) },
    marks: [barY(bars, { x: 'day', y: 'value', fill: 'label' }), ruleY([0])],
  })
  return svg.outerHTML
    .replaceAll(LEFT_OUT, '')
    .replaceAll(LONG_DECIMALS, '$1')
    .replace('<svg ', html`<svg role="img" aria-label="${name}" `)
    .replace('class="plot"', `class="${className}"`)
}

/** Fractions of a payment have no label. */
function integerLabel(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : ''
}
