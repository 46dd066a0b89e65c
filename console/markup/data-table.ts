/** Renders tables, which become cards on a phone, what is shown in their place when they are empty, and the facts of one thing. */
import { html } from 'ghtml'
import { consoleText } from '../texts/console-texts.ts'

export type Column = {
  readonly label: string
  /** Numbers are aligned; the label of an action is not repeated on a phone. */
  readonly kind?: 'number' | 'action'
  /** On a phone it leads the card, without its label: what readers look for first, such as amount and status. */
  readonly isLead?: true
}

/** Tables with so many columns become cards in wider windows, too. */
const WIDE_COLUMNS_MIN = 7

/** One row per list of cells, which are markup. */
export function dataTable(columns: readonly Column[], rows: readonly (readonly string[])[], emptyText: string): string {
  if (rows.length === 0) {
    return html`<p class="empty">${emptyText}</p>`
  }
  const heads = columns.map(
    (column, n) =>
      html`<th scope="col" class="${classOf(column)}">${column.label}!${timeLabelOf(rows.map((cells) => cells[n] ?? ''))}</th>`,
  )
  const body = rows.map((cells) => html`<tr>!${cells.map((cell, n) => cellOf(columns[n], cell)).join('')}</tr>`)
  return html`<table class="${columns.length < WIDE_COLUMNS_MIN ? '' : 'wide'}">
<thead><tr>!${heads.join('')}</tr></thead>
<tbody>!${body.join('\n')}</tbody>
</table>`
}

/** Says of a column with times which times they are, and of which zone. */
function timeLabelOf(cells: readonly string[]): string {
  const isWall = cells.some((cell) => cell.includes('<time class="wall"'))
  const isBusiness = cells.some((cell) => cell.includes('<time datetime'))
  if (!isWall && !isBusiness) {
    return ''
  }
  const kind = isWall && isBusiness ? 'both' : isWall ? 'wall' : 'business'
  return html` <span class="zone">${consoleText(`times.${kind}`)}</span>`
}

/** A text of any length in a cell, of which the row shows the first lines. */
export function clampedText(text: string): string {
  return text === '' ? '' : html`<span class="clamped" title="${text}">${text}</span>`
}

function cellOf(column: Column | undefined, cell: string): string {
  return html`<td class="${classOf(column)}" data-column="${column?.label ?? ''}">!${cell}</td>`
}

function classOf(column: Column | undefined): string {
  return [column?.kind, column?.isLead && 'lead'].filter(Boolean).join(' ')
}

/** Values are markup; facts without a value are left out. */
export function factList(facts: readonly (readonly [name: string, value: string | undefined])[]): string {
  const shown = facts.filter(([, value]) => value !== undefined && value !== '')
  return html`<dl>!${shown.map(([name, value = '']) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`).join('\n')}</dl>`
}
