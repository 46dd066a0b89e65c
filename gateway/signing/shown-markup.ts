/** Writes the things that are signed into a page: a few as cards, many as a list beneath their total. */
import { html } from 'ghtml'
import type { ShownLabel, ShownLine, ShownThing } from './shown.ts'
import { isOfPayrolls, totalsOf } from './shown.ts'
import { valueText } from './shown-text.ts'
import type { SigningTexts } from './texts/texts.ts'

/** More than this would be a long way to the button. */
const CARDS_MAX = 4

/** What is the same for everything on a list is told once, above it. */
const ONCE_IF_SAME: ReadonlySet<ShownLabel> = new Set(['from-account', 'date'])

/** All of them are on the page, whatever their number: nobody signs what was not shown. */
export function shownThings(texts: SigningTexts, things: readonly ShownThing[]): string {
  if (things.length <= CARDS_MAX) {
    return things.map((thing) => card(texts, thing)).join('')
  }
  const totals = totalsOf(things).map((total) => html`<dd>${valueText(texts, total)}</dd>`)
  const same = (things[0] ?? []).filter((line) => isSameFor(things, line))
  const items = things.map((thing) => item(texts, thing, new Set(same.map(({ label }) => label))))
  return html`<dl><div class="amount"><dt>${isOfPayrolls(things) ? texts.payroll.total : texts.total(things.length)}</dt>!${totals.join('')}</div>!${same.map((line) => cardLine(texts, line)).join('')}</dl>
<ol class="things">!${items.join('')}</ol>`
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
