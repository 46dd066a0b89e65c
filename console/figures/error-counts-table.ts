/** Renders the most frequent error codes of each day, with what each means and the requests that got it. */
import { html } from 'ghtml'
import type { ErrorCount } from '../../gateway/request-log/request-figures.ts'
import { PARTNER_PARAMETER } from '../lists/partner-field.ts'
import { dataTable } from '../markup/data-table.ts'
import { apiCodeMarkup } from '../markup/explained-codes.ts'
import { formatCount } from '../markup/format-money.ts'
import { formatDay } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

const CODES_PER_DAY = 3
const ERROR_CODE = /^\w+$/

/** Only days with errors. */
export function errorCountsTable(counts: readonly ErrorCount[], partnerId: string | null): string {
  const columns = [
    { label: consoleText('figures.day') },
    { label: consoleText('figures.count'), kind: 'number' as const },
    { label: consoleText('requests.code') },
  ]
  const rows = [...Map.groupBy(counts, ({ day }) => day).values()].flatMap((ofDay) =>
    ofDay
      .slice(0, CODES_PER_DAY)
      .map((count, n) => [
        n === 0 ? html`${formatDay(Temporal.PlainDate.from(count.day))}` : '',
        countMarkup(count, partnerId),
        apiCodeMarkup(count.code),
      ]),
  )
  return dataTable(columns, rows, consoleText('figures.noErrors'))
}

function countMarkup({ day, code, count }: ErrorCount, partnerId: string | null): string {
  if (!ERROR_CODE.test(code)) {
    return html`${formatCount(count)}`
  }
  const next = Temporal.PlainDate.from(day).add({ days: 1 })
  const query = new URLSearchParams({
    code,
    from: `${day}T00:00`,
    to: `${next}T00:00`,
    ...(partnerId === null ? {} : { [PARTNER_PARAMETER]: partnerId }),
  })
  return html`<a href="/console/requests?${query}">${formatCount(count)}</a>`
}
