/** Renders the figures of the overview, each of which is a link to the list behind it. */
import { html } from 'ghtml'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Counting stops here; the overview shows "1 000 or more". */
export const COUNTED_MAX = 1_000

/** Figure and label are markup. */
export type Tile = { readonly figure: string; readonly label: string; readonly path: string }

function tile({ figure, label, path }: Tile): string {
  return html`<li class="tile"><a href="${path}"><strong>!${figure}</strong><span>!${label}</span></a></li>`
}

/** A section of the overview. */
export function tileSection(title: string, tiles: readonly Tile[]): string {
  return html`<h2>${title}</h2>
!${tileList(tiles)}`
}

/** Nothing without tiles. */
export function tileList(tiles: readonly Tile[]): string {
  return tiles.length === 0 ? '' : html`<ul class="tiles">!${tiles.map(tile).join('\n')}</ul>`
}

/** A label with the time of the first thing that it counts, which `text` introduces. */
export function labelWithTime(label: string, text: string, at: Temporal.Instant | null): string {
  return html`${label}!${at === null ? '' : html`<br>${text} !${timeMarkup(at)}`}`
}

/** Counting stops at `COUNTED_MAX`. */
export function counted(count: number): string {
  return count < COUNTED_MAX ? String(count) : consoleText('home.orMore')
}
