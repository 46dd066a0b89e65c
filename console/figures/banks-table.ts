/** Renders what became of payments at each bank, in all and on each day, with the reasons that it rejected most of them for. */
import { html } from 'ghtml'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { BankCount } from '../../gateway/orders/views/order-figures.ts'
import { type Columns, dataTable, numberColumn } from '../markup/data-table.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { formatCount, formatPercentage } from '../markup/format-money.ts'
import { formatDay } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

const REASONS_SHOWN = 3

type Names = ReadonlyMap<string, string>

/** The bank with most payments first. */
export function banksTable(counts: readonly BankCount[], names: Names): string {
  return dataTable(COLUMNS, rowsOf(counts, names), consoleText('figures.none'))
}

/** The newest day first, and only days with payments. */
export function bankDaysTable(counts: readonly BankCount[], names: Names): string {
  const byDay = [...Map.groupBy(counts, ({ day }) => day)].sort(([one], [other]) => (one < other ? 1 : -1))
  const rows = byDay.flatMap(([day, ofDay]) =>
    rowsOf(ofDay, names).map((cells) => [html`${formatDay(Temporal.PlainDate.from(day))}`, ...cells]),
  )
  return dataTable(['figures.day', ...COLUMNS], rows, consoleText('figures.none'))
}

const COLUMNS: Columns = [
  'payment.bank',
  numberColumn('figures.columns.initiated'),
  numberColumn('figures.columns.settled'),
  numberColumn('figures.columns.rejected'),
  numberColumn('figures.columns.cancelled'),
  numberColumn('figures.success'),
  'figures.reasons',
]

function rowsOf(counts: readonly BankCount[], names: Names): readonly (readonly string[])[] {
  const byBank = [...Map.groupBy(counts, ({ bic }) => bic)].sort(([, one], [, other]) => total(other) - total(one))
  return byBank.map(([bic, ofBank]) => cellsOf(bic, names.get(bic) ?? bic, ofBank))
}

function cellsOf(bic: string, name: string, counts: readonly BankCount[]): readonly string[] {
  const countOf = (status: PaymentStatusValue) => total(counts.filter((one) => one.status === status))
  const [settled, rejected, cancelled] = [countOf('Completed'), countOf('Rejected'), countOf('Cancelled')]
  const ended = settled + rejected + cancelled
  const byReason = Map.groupBy(
    counts.filter(({ status }) => status === 'Rejected'),
    ({ reason }) => reason,
  )
  const reasons = [...byReason]
    .map(([reason, ofReason]) => ({ reason, count: total(ofReason) }))
    .sort((one, other) => other.count - one.count)
    .slice(0, REASONS_SHOWN)
    .map(
      ({ reason, count }) =>
        html`<div>${formatCount(count)} × !${reason === null ? html`${consoleText('figures.noReason')}` : bankTextMarkup(reason)}</div>`,
    )
  return [
    html`<a href="/console/banks/${bic}">${name}</a>`,
    ...[total(counts), settled, rejected, cancelled].map((count) => html`${formatCount(count)}`),
    ended === 0 ? '' : html`${formatPercentage(settled, ended)}`,
    reasons.join(''),
  ]
}

function total(counts: readonly BankCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}
