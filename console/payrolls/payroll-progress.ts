/** Renders how much of a payroll its bank has, and how many transactions have which status. */
import { html } from 'ghtml'
import type { Payroll } from '../../gateway/orders/payroll.ts'
import type { TransactionGroup } from '../../gateway/orders/views/payroll-details.ts'
import { factList } from '../markup/data-table.ts'
import { formatCount } from '../markup/format-money.ts'
import { consoleText } from '../texts/console-texts.ts'

/** The numbers of transactions that their bank has acknowledged, that are being submitted, and of unknown outcome. */
export type PayrollProgress = { readonly atBank: number; readonly inFlight: number; readonly unknown: number }

export function progressOf(groups: readonly TransactionGroup[]): PayrollProgress {
  const countOf = (outcome: TransactionGroup['outcome']) =>
    groups.filter((group) => group.outcome === outcome).reduce((sum, { count }) => sum + count, 0)
  return { atBank: countOf('known'), inFlight: countOf('in-flight'), unknown: countOf('unknown') }
}

/** A bar while the payroll is being submitted; nothing before or after. */
export function progressMarkup(
  { state, transactionCount }: Pick<Payroll, 'state' | 'transactionCount'>,
  { atBank, inFlight }: PayrollProgress,
): string {
  if (state !== 'submitting') {
    return ''
  }
  const label = consoleText('payroll.progress', { atBank: formatCount(atBank), count: formatCount(transactionCount) })
  const sending = inFlight === 0 ? '' : consoleText('payroll.inFlight', { count: formatCount(inFlight) })
  return html`<div class="progress"><label for="payroll-progress">${label}</label>
<progress id="payroll-progress" max="${transactionCount}" value="${atBank}"></progress>
<p class="quiet">${sending}</p></div>`
}

/** Each number links to its transactions. */
export function statusCounts(path: string, groups: readonly TransactionGroup[]): string {
  const counts = new Map<string, number>()
  for (const { status, count } of groups) {
    counts.set(status, (counts.get(status) ?? 0) + count)
  }
  const links = [...counts].map(
    ([status, count]) =>
      [status, html`<a href="${path}?status=${status}#transactions">${formatCount(count)}</a>`] as const,
  )
  return factList({}, links)
}
