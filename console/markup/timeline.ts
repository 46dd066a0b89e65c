/** Renders what happened to something, in the order of time. */
import { html } from 'ghtml'
import { timeMarkup } from './format-time.ts'

/** One thing that happened; title and details are markup. */
export type TimelineEntry = {
  readonly at: Temporal.Instant
  readonly title: string
  readonly details: readonly string[]
  /** The fragment of the page's URL that leads to it. */
  readonly anchor?: string
  /** What is folded below it. */
  readonly folded?: { readonly summary: string; readonly entries: readonly TimelineEntry[] }
}

/** From the oldest; sorting is stable: what happened at one moment stays in the given order. */
export function timelineMarkup(entries: readonly TimelineEntry[]): string {
  const items = entries.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at)).map(entryMarkup)
  return html`<ol class="timeline">!${items.join('\n')}</ol>`
}

function entryMarkup({ at, title, details, anchor, folded }: TimelineEntry): string {
  const id = anchor === undefined ? '' : html`id="${anchor}"`
  const below =
    folded === undefined
      ? ''
      : html`<details><summary>${folded.summary}</summary>!${timelineMarkup(folded.entries)}</details>`
  return html`<li !${id}>!${timeMarkup(at)}<div><p>!${title}</p>!${details.map((detail) => html`<p class="quiet">!${detail}</p>`).join('')}!${below}</div></li>`
}
