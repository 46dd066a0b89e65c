/** Renders tables, which become cards on a phone, what is shown in their place when they are empty, and the facts of one thing. */
import { html } from 'ghtml'
import { type ConsoleTextKey, consoleText } from '../texts/console-texts.ts'

export type Column = {
  readonly label: ConsoleTextKey
  /** Numbers are aligned; the label of an action is not repeated on a phone. */
  readonly kind?: 'number' | 'action'
  /** On a phone it leads the card, without its label: what readers look for first, such as amount and status. */
  readonly isLead?: true
}

/** Most columns are their label. */
export type Columns = readonly (Column | ConsoleTextKey)[]

export const numberColumn = (label: ConsoleTextKey): Column => ({ label, kind: 'number' })

/** Tables with so many columns become cards in wider windows, too. */
const WIDE_COLUMNS_MIN = 7

/** One row per list of cells, which are markup. */
export function dataTable(columns: Columns, rows: readonly (readonly string[])[], emptyText: string): string {
  if (rows.length === 0) {
    return html`<p class="empty">${emptyText}</p>`
  }
  const shown = columns.map((column) => {
    const { label, kind, isLead }: Column = typeof column === 'string' ? { label: column } : column
    return { label: consoleText(label), className: [kind, isLead && 'lead'].filter(Boolean).join(' ') }
  })
  const heads = shown.map(
    ({ label, className }, n) =>
      html`<th scope="col" class="${className}">${label}!${timeLabelOf(rows.map((cells) => cells[n] ?? ''))}</th>`,
  )
  const body = rows.map((cells) => {
    const ofRow = cells.map(
      (cell, n) => html`<td class="${shown[n]?.className ?? ''}" data-column="${shown[n]?.label ?? ''}">!${cell}</td>`,
    )
    return html`<tr>!${ofRow.join('')}</tr>`
  })
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

/** By the keys of their names; values are markup. */
export type Facts = Readonly<Partial<Record<ConsoleTextKey, string | null | undefined>>>

/** Facts without a value are left out; `others` have names of their own. */
export function factList(facts: Facts, others: readonly (readonly [name: string, value: string])[] = []): string {
  const named = (Object.keys(facts) as ConsoleTextKey[]).map((key) => [consoleText(key), facts[key] ?? ''] as const)
  const shown = [...named, ...others].filter(([, value]) => value !== '')
  return html`<dl>!${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`).join('\n')}</dl>`
}
