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
  return dataTable(banksOf(counts), columnsOf(names), consoleText('figures.none'))
}

/** The newest day first, and only days with payments. */
export function bankDaysTable(counts: readonly BankCount[], names: Names): string {
  const byDay = [...Map.groupBy(counts, ({ day }) => day)].sort(([one], [other]) => (one < other ? 1 : -1))
  const rows = byDay.flatMap(([day, ofDay]) => banksOf(ofDay).map((ofBank) => ({ ...ofBank, day })))
  return dataTable(
    rows,
    { 'figures.day': ({ day }) => html`${formatDay(Temporal.PlainDate.from(day))}`, ...columnsOf(names) },
    consoleText('figures.none'),
  )
}

type CountsOfBank = { readonly bic: string; readonly counts: readonly BankCount[] }

function banksOf(counts: readonly BankCount[]): readonly CountsOfBank[] {
  const byBank = [...Map.groupBy(counts, ({ bic }) => bic)].sort(([, one], [, other]) => total(other) - total(one))
  return byBank.map(([bic, ofBank]) => ({ bic, counts: ofBank }))
}

function columnsOf(names: Names): Columns<CountsOfBank> {
  const count = (status: PaymentStatusValue) =>
    numberColumn(({ counts }: CountsOfBank) => html`${formatCount(countOf(counts, status))}`)
  return {
    'payment.bank': ({ bic }) => html`<a href="/console/banks/${bic}">${names.get(bic) ?? bic}</a>`,
    'figures.columns.initiated': numberColumn(({ counts }) => html`${formatCount(total(counts))}`),
    'figures.columns.settled': count('Completed'),
    'figures.columns.rejected': count('Rejected'),
    'figures.columns.cancelled': count('Cancelled'),
    'figures.success': numberColumn(({ counts }) => successOf((status) => countOf(counts, status))),
    'figures.reasons': reasonsOf,
  }
}

function countOf(counts: readonly BankCount[], status: PaymentStatusValue): number {
  return total(counts.filter((one) => one.status === status))
}

function reasonsOf({ counts }: CountsOfBank): string {
  const byReason = Map.groupBy(
    counts.filter(({ status }) => status === 'Rejected'),
    ({ reason }) => reason,
  )
  return [...byReason]
    .map(([reason, ofReason]) => ({ reason, count: total(ofReason) }))
    .sort((one, other) => other.count - one.count)
    .slice(0, REASONS_SHOWN)
    .map(
      ({ reason, count }) =>
        html`<div>${formatCount(count)} × !${reason === null ? html`${consoleText('figures.noReason')}` : bankTextMarkup(reason)}</div>`,
    )
    .join('')
}

/** The share of settled payments among those that have ended; empty without any. */
export function successOf(countOf: (status: PaymentStatusValue) => number): string {
  const settled = countOf('Completed')
  const ended = settled + countOf('Rejected') + countOf('Cancelled')
  return ended === 0 ? '' : html`${formatPercentage(settled, ended)}`
}

export function total(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}
