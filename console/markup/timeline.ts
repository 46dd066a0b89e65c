/** Renders what happened to something, in the order of time. */
import { html } from 'ghtml'
import { timeMarkup } from './format-time.ts'

/** One thing that happened; title and details are markup. */
export type TimelineEntry = {
  readonly at: Temporal.Instant
  readonly title: string
  readonly details: readonly string[]
}

/** From the oldest; sorting is stable: what happened at one moment stays in the given order. */
export function timelineMarkup(entries: readonly TimelineEntry[]): string {
  const items = entries
    .toSorted((one, other) => Temporal.Instant.compare(one.at, other.at))
    .map(
      ({ at, title, details }) =>
        html`<li>!${timeMarkup(at)}<div><p>!${title}</p>!${details.map((detail) => html`<p class="quiet">!${detail}</p>`).join('')}</div></li>`,
    )
  return html`<ol class="timeline">!${items.join('\n')}</ol>`
}
