/** Renders what is signed: a few items as cards, many as a list, with totals above several. */
import { html } from 'ghtml'
import type { PageTexts } from '../../page-texts/page-texts.ts'
import { isSigned, type ScaSession } from '../sca-session.ts'
import {
  type SummaryItem,
  type SummaryLabel,
  type SummaryLine,
  summaryNounOf,
  summaryTotals,
} from '../signature-summary.ts'
import type { ScaPageView } from './sca-page-view.ts'
import { formatSummaryValue } from './summary-text.ts'

/** More cards than this would push the button off the screen. */
const CARDS_MAX = 4

/** The texts that name what is signed; those of a review also name who requests it. */
export const summaryTextKeys = {
  payment: {
    total: 'authorisation.total',
    title: {
      consent: 'authorisation.title.consent',
      approval: 'authorisation.title.approval',
      cancellation: 'authorisation.title.cancellation',
      onboarding: 'authorisation.title.onboarding',
    },
    asksToCancel: 'authorisation.review.asksToCancel',
    keep: 'authorisation.review.keep',
  },
  payroll: {
    total: 'authorisation.payroll.total',
    title: {
      consent: 'authorisation.title.consent',
      approval: 'authorisation.payroll.title',
      cancellation: 'authorisation.payroll.cancellationTitle',
      onboarding: 'authorisation.title.onboarding',
    },
    asksToCancel: 'authorisation.payroll.asksToCancel',
    keep: 'authorisation.payroll.keep',
  },
} as const

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
  const titleKey = summaryTextKeys[summaryNounOf(items)].total
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

/** That the bank requires one signature after the other; empty if it requires a single one. */
export function sequenceNote({ session, texts: { text } }: ScaPageView): string {
  const signed = session.steps.filter(({ shown }) => shown.length > 0)
  const count = signed.length
  if (count < 2) {
    return ''
  }
  const isOnePaymentEach = signed.every(({ shown }) => shown.length === 1 && summaryNounOf(shown) === 'payment')
  return html`<p class="lead">${isOnePaymentEach ? text('authorisation.review.oneByOne', { count }) : text('authorisation.review.inTurn', { count })}</p>`
}

/** How many items the next signature covers, the first of those that are left; none if it covers all of them. */
export function nextItemCount({ steps }: Pick<ScaSession, 'steps'>): number {
  const [next, ...later] = steps.filter((step) => !isSigned(step) && step.shown.length > 0)
  return next === undefined || later.length === 0 ? 0 : next.shown.length
}

/** To a user who has not signed yet: that other users have. */
export function earlierSignaturesNote({ signatures, texts }: ScaPageView): string {
  if (signatures === undefined || signatures.isOwn) {
    return ''
  }
  const { text } = texts
  const signers = signersText({ signatures, texts })
  return html`<p class="lead">${text('authorisation.signers.soFar', { signers })} ${text('authorisation.signers.yoursToo')}</p>`
}

/** To a user who has signed: that another user must, too. */
export function furtherSignatureNote({ parties, signatures, texts }: ScaPageView): string {
  if (signatures === undefined) {
    return ''
  }
  const { text } = texts
  const signers = signersText({ signatures, texts })
  return html`<p class="lead">${text('authorisation.signers.another', parties)} ${text('authorisation.signers.soFar', { signers })}</p>`
}

type Signers = { readonly signatures: NonNullable<ScaPageView['signatures']>; readonly texts: ScaPageView['texts'] }

/** Of other users only the end of their ids is shown: many ids at banks are national ids. */
function signersText({ signatures: { isOwn, others }, texts: { language, text } }: Signers): string {
  const names = [
    ...(isOwn ? [text('authorisation.signers.you')] : []),
    ...others.map((user) => text('authorisation.signers.user', { user })),
  ]
  return names.length === 0
    ? text('authorisation.signers.unknown')
    : new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
}
