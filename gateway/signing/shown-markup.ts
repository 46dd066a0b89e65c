/** Writes the things that are signed into a page: a few as cards, many as a list; beneath their totals if there are several. */
import { html } from 'ghtml'
import { valueText } from '../authorisations/pages/summary-text.ts'
import type { SigningTexts } from '../authorisations/pages/texts/sca-page-texts.ts'
import {
  isOfPayrolls,
  type ShownLabel,
  type ShownLine,
  type ShownThing,
  totalsOf,
} from '../authorisations/signature-summary.ts'

/** More than this would be a long way to the button. */
const CARDS_MAX = 4

/** What is the same for everything on a list is told once, above it. */
const ONCE_IF_SAME: ReadonlySet<ShownLabel> = new Set(['from-account', 'date'])

/** All of them are on the page, whatever their number: nobody signs what was not shown. */
export function shownThings(texts: SigningTexts, things: readonly ShownThing[]): string {
  if (things.length <= CARDS_MAX) {
    return `${things.length > 1 ? totalsCard(texts, things, []) : ''}${things.map((thing) => card(texts, thing)).join('')}`
  }
  const same = (things[0] ?? []).filter((line) => isSameFor(things, line))
  const items = things.map((thing) => item(texts, thing, new Set(same.map(({ label }) => label))))
  return html`!${totalsCard(texts, things, same)}
<ol class="things">!${items.join('')}</ol>`
}

/** For each account and currency how many are signed and their sum, then what is the same for all of them. */
function totalsCard(texts: SigningTexts, things: readonly ShownThing[], same: readonly ShownLine[]): string {
  const titleOf = isOfPayrolls(things) ? texts.payroll.total : texts.total
  const totals = totalsOf(things).map(({ count, amount, account }) => [
    html`<div class="amount"><dt>${titleOf(count)}</dt><dd>${valueText(texts, amount)}</dd></div>`,
    account === undefined ? '' : cardLine(texts, account),
  ])
  const others = same.filter(({ label }) => label !== 'from-account').map((line) => cardLine(texts, line))
  const lines = [...totals.flat(), ...others].join('')
  return lines === '' ? '' : html`<dl class="totals">!${lines}</dl>`
}

function isSameFor(things: readonly ShownThing[], { label, value }: ShownLine): boolean {
  return (
    ONCE_IF_SAME.has(label) &&
    things.every((thing) => thing.some((other) => other.label === label && other.value === value))
  )
}

function card(texts: SigningTexts, thing: ShownThing): string {
  return html`<dl>!${thing.map((line) => cardLine(texts, line)).join('')}</dl>`
}

/** Money is what the eye must find first. */
function cardLine(texts: SigningTexts, line: ShownLine): string {
  return html`<div class="${line.kind === 'amount' ? 'amount' : ''}"><dt>${texts.labels[line.label]}</dt><dd>${valueText(texts, line)}</dd></div>`
}

function item(texts: SigningTexts, thing: ShownThing, toldOnce: ReadonlySet<ShownLabel>): string {
  const amount = thing.find(({ kind }) => kind === 'amount')
  const to = thing.find(({ label }) => label === 'to')
  const payouts = thing.find(({ label }) => label === 'payouts')
  const named = (line: ShownLine) => `${texts.labels[line.label]}: ${valueText(texts, line)}`
  const others = thing
    .filter((line) => line !== amount && line !== (to ?? payouts) && !toldOnce.has(line.label))
    .map((line) => html`<span>${named(line)}</span>`)
  const head = to === undefined ? (payouts === undefined ? '' : named(payouts)) : valueText(texts, to)
  return html`<li><p><strong>${head}</strong> <span>${amount === undefined ? '' : valueText(texts, amount)}</span></p>
<p class="quiet">!${others.join(' ')}</p></li>`
}
