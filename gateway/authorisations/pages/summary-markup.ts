/** Renders what is signed: a few items as cards, many as a list, with totals above several. */
import { html } from 'ghtml'
import type { PageTexts } from '../../page-texts/page-texts.ts'
import {
  isPayrollSummary,
  type SummaryItem,
  type SummaryLabel,
  type SummaryLine,
  summaryTotals,
} from '../signature-summary.ts'
import { formatSummaryValue } from './summary-text.ts'

/** More cards than this would push the button off the screen. */
const CARDS_MAX = 4

/** Labels that are shown once, above the list, where every item has the same value. */
const ONCE_IF_SAME: ReadonlySet<SummaryLabel> = new Set(['from-account', 'date'])

/**
 * Every item is rendered, whatever their number: nothing is signed that was not shown. The first `nextCount` are marked
 * as what is signed next.
 */
export function renderSummary(texts: PageTexts, items: readonly SummaryItem[], nextCount = 0): string {
  const mark = (index: number) =>
    index < nextCount ? html`<p class="mark">${texts.text('authorisation.next.mark')}</p>` : ''
  if (items.length <= CARDS_MAX) {
    const cards = items.map((item, index) => `${mark(index)}${card(texts, item)}`)
    return `${items.length > 1 ? totalsCard(texts, items, []) : ''}${cards.join('')}`
  }
  const same = (items[0] ?? []).filter((line) => isSameFor(items, line))
  const shownOnce = new Set(same.map(({ label }) => label))
  const listItems = items.map((item, index) => html`<li>!${mark(index)}!${listItem(texts, item, shownOnce)}</li>`)
  return html`!${totalsCard(texts, items, same)}
<ol class="things">!${listItems.join('')}</ol>`
}

/** Count and sum for each account and currency, then what all items have in common. */
function totalsCard(texts: PageTexts, items: readonly SummaryItem[], same: readonly SummaryLine[]): string {
  const titleKey = isPayrollSummary(items) ? 'authorisation.payroll.total' : 'authorisation.total'
  const totals = summaryTotals(items).map(({ count, amount, account }) => [
    html`<div class="amount"><dt>${texts.text(titleKey, { count })}</dt><dd>${formatSummaryValue(texts, amount)}</dd></div>`,
    account === undefined ? '' : cardLine(texts, account),
  ])
  const rest = same.filter(({ label }) => label !== 'from-account').map((line) => cardLine(texts, line))
  const lines = [...totals.flat(), ...rest].join('')
  return lines === '' ? '' : html`<dl class="totals">!${lines}</dl>`
}

function isSameFor(items: readonly SummaryItem[], { label, value }: SummaryLine): boolean {
  return (
    ONCE_IF_SAME.has(label) &&
    items.every((item) => item.some((other) => other.label === label && other.value === value))
  )
}

function card(texts: PageTexts, item: SummaryItem): string {
  return html`<dl>!${item.map((line) => cardLine(texts, line)).join('')}</dl>`
}

/** Amounts are highlighted. */
function cardLine(texts: PageTexts, line: SummaryLine): string {
  return html`<div class="${line.kind === 'amount' ? 'amount' : ''}"><dt>${texts.text(`authorisation.labels.${line.label}`)}</dt><dd>${formatSummaryValue(texts, line)}</dd></div>`
}

function listItem(texts: PageTexts, item: SummaryItem, shownOnce: ReadonlySet<SummaryLabel>): string {
  const amount = item.find(({ kind }) => kind === 'amount')
  const to = item.find(({ label }) => label === 'to')
  const payouts = item.find(({ label }) => label === 'payouts')
  const named = (line: SummaryLine) =>
    `${texts.text(`authorisation.labels.${line.label}`)}: ${formatSummaryValue(texts, line)}`
  const rest = item
    .filter((line) => line !== amount && line !== (to ?? payouts) && !shownOnce.has(line.label))
    .map((line) => html`<span>${named(line)}</span>`)
  const head = to === undefined ? (payouts === undefined ? '' : named(payouts)) : formatSummaryValue(texts, to)
  return html`<p><strong>${head}</strong> <span>${amount === undefined ? '' : formatSummaryValue(texts, amount)}</span></p>
<p class="quiet">!${rest.join(' ')}</p>`
}
