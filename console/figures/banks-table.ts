/** Renders what became of payments at each bank, with the reasons that it rejected most of them for. */
import { html } from 'ghtml'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { dataTable } from '../markup/data-table.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { formatCount } from '../markup/format-money.ts'
import { formatPercentage } from '../markup/format-percentage.ts'
import { consoleText } from '../texts/console-texts.ts'
import type { BankCount } from './figures-store.ts'

const REASONS_SHOWN = 3

/** The bank with most payments first. */
export function banksTable(counts: readonly BankCount[], names: ReadonlyMap<string, string>): string {
  const outcomes = ['initiated', 'settled', 'rejected', 'cancelled'] as const
  const columns = [
    { label: consoleText('payment.bank') },
    ...outcomes.map((name) => ({ label: consoleText(`figures.columns.${name}`), kind: 'number' as const })),
    { label: consoleText('figures.success'), kind: 'number' as const },
    { label: consoleText('figures.reasons') },
  ]
  const byBank = [...Map.groupBy(counts, ({ bic }) => bic)].sort(([, one], [, other]) => total(other) - total(one))
  return dataTable(
    columns,
    byBank.map(([bic, ofBank]) => cellsOf(bic, names.get(bic) ?? bic, ofBank)),
    consoleText('figures.none'),
  )
}

function cellsOf(bic: string, name: string, counts: readonly BankCount[]): readonly string[] {
  const countOf = (status: PaymentStatusValue) => total(counts.filter((one) => one.status === status))
  const [settled, rejected, cancelled] = [countOf('Completed'), countOf('Rejected'), countOf('Cancelled')]
  const ended = settled + rejected + cancelled
  const reasons = counts
    .filter(({ status }) => status === 'Rejected')
    .slice(0, REASONS_SHOWN)
    .map(({ reason, count }) => html`<div>${formatCount(count)} × !${reasonMarkup(reason)}</div>`)
  return [
    html`<a href="/console/banks/${bic}">${name}</a>`,
    ...[total(counts), settled, rejected, cancelled].map((count) => html`${formatCount(count)}`),
    ended === 0 ? '' : html`${formatPercentage(settled, ended)}`,
    reasons.join(''),
  ]
}

function reasonMarkup(reason: string | null): string {
  return reason === null ? html`${consoleText('figures.noReason')}` : bankTextMarkup(reason)
}

function total(counts: readonly BankCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}
