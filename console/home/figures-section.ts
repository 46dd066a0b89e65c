/** Shows the payments of the last 30 days: initiated, signed, settled and rejected on each day, and amounts by currency. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { REPORTING_TIME_ZONE } from '../../gateway/countries/bank-days.ts'
import { type DailyCount, listDailyCounts } from '../../gateway/orders/daily-counts/count-payments.ts'
import { partnerFilterOf, type Viewer } from '../access/viewer.ts'
import { stackedBarChart } from '../charts/stacked-bar-chart.ts'
import { total } from '../figures/banks-table.ts'
import { type Columns, dataTable, numberColumn } from '../markup/data-table.ts'
import { formatCount, formatMoneyForReaders } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

export const FIGURE_DAYS = 30

/** Each payment is in one of them; from the bottom of the bars up. */
const PARTS = ['settled', 'signed', 'unsigned', 'rejected'] as const

/** What the table counts, and the filter of the list of payments that shows the same. */
const COLUMNS = [
  { name: 'initiated', filter: {}, has: () => true },
  { name: 'signed', filter: { signed: 'yes' }, has: ({ signed }: DailyCount) => signed },
  { name: 'settled', filter: { status: 'Completed' }, has: ({ status }: DailyCount) => status === 'Completed' },
  { name: 'rejected', filter: { status: 'Rejected' }, has: ({ status }: DailyCount) => status === 'Rejected' },
  { name: 'cancelled', filter: { status: 'Cancelled' }, has: ({ status }: DailyCount) => status === 'Cancelled' },
] as const

export async function figuresSection(context: Context, viewer: Viewer): Promise<string> {
  const today = context.clock.today(REPORTING_TIME_ZONE)
  const days = Array.from({ length: FIGURE_DAYS }, (_, n) => today.subtract({ days: FIGURE_DAYS - 1 - n }))
  const period = { from: today.subtract({ days: FIGURE_DAYS - 1 }), to: today }
  const { counts, countedTo } = await listDailyCounts(context, partnerFilterOf(viewer), period)
  const title = consoleText('figures.title', { days: FIGURE_DAYS })
  const until =
    countedTo === null
      ? html`<p class="quiet">${consoleText('figures.notCounted')}</p>`
      : html`<p class="quiet">${consoleText('figures.countedTo')} !${timeMarkup(countedTo)}</p>`
  if (counts.length === 0) {
    // What has not been counted may be something.
    const none = countedTo === null ? '' : html`<p class="empty">${consoleText('figures.none')}</p>`
    return html`<h2>${title}</h2>
!${none}
!${until}`
  }
  return html`<h2>${title}</h2>
<p>${consoleText('figures.explain')}</p>
!${until}
!${await chartOf(days, counts)}
<details><summary>${consoleText('figures.table')}</summary>
!${tableOfDays(days, counts)}
</details>
<p class="actions"><a class="button second" href="/console/figures">${consoleText('figures.more')}</a></p>
<h2>${consoleText('figures.currencies')}</h2>
!${tableOfCurrencies(period, counts)}`
}

function chartOf(days: readonly Temporal.PlainDate[], counts: readonly DailyCount[]): Promise<string> {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const series = PARTS.map((part) => ({
    label: consoleText(`figures.parts.${part}`),
    colour: part,
    values: days.map((day) => total((byDay.get(day.toString()) ?? []).filter((cell) => partOf(cell) === part))),
  }))
  const all = { count: formatCount(total(counts)), days: days.length }
  return stackedBarChart({ name: consoleText('figures.chart', all), days, series })
}

function partOf({ status, signed }: DailyCount): (typeof PARTS)[number] {
  if (status === 'Completed') {
    return 'settled'
  }
  if (status === 'Rejected' || status === 'Cancelled') {
    return 'rejected'
  }
  return signed ? 'signed' : 'unsigned'
}

/** The newest day first. */
function tableOfDays(days: readonly Temporal.PlainDate[], counts: readonly DailyCount[]): string {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const counted = (day: Temporal.PlainDate, { filter, has }: CountColumn) =>
    countLink({ from: day, to: day, ...filter }, (byDay.get(day.toString()) ?? []).filter(has))
  return dataTable(days.toReversed(), { 'figures.day': (day) => html`${formatDay(day)}`, ...countColumns(counted) }, '')
}

type Period = { readonly from: Temporal.PlainDate; readonly to: Temporal.PlainDate }

/** The currency with most payments first. */
function tableOfCurrencies(period: Period, counts: readonly DailyCount[]): string {
  const currencies = [...Map.groupBy(counts, ({ currency }) => currency)].sort(([, a], [, b]) => total(b) - total(a))
  const counted = ([currency, cells]: (typeof currencies)[number], { filter, has }: CountColumn) => {
    const found = cells.filter(has)
    const minor = found.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    const amount = html`<br><span class="quiet">${formatMoneyForReaders({ minor, currency })}</span>`
    return `${countLink({ ...period, currency, ...filter }, found)}${found.length === 0 ? '' : amount}`
  }
  return dataTable(currencies, { 'figures.currency': ([currency]) => html`${currency}`, ...countColumns(counted) }, '')
}

type CountColumn = (typeof COLUMNS)[number]

function countColumns<Row>(cell: (row: Row, column: CountColumn) => string): Columns<Row> {
  return Object.fromEntries(
    COLUMNS.map((column) => [`figures.columns.${column.name}`, numberColumn((row: Row) => cell(row, column))]),
  )
}

/** Zero is no link. */
function countLink(
  filter: Readonly<Record<string, string | Temporal.PlainDate>>,
  cells: readonly DailyCount[],
): string {
  const count = total(cells)
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, value.toString()]))
  return count === 0 ? '0' : html`<a href="/console/payments?${query}">${formatCount(count)}</a>`
}
