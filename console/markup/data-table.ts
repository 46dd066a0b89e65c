/** Renders tables, which become cards on a phone, what is shown in their place when they are empty, and the facts of one thing. */
import { html } from 'ghtml'
import { type ConsoleTextKey, consoleText } from '../texts/console-texts.ts'

/** The markup of a row in a column. */
type Cell<Row> = (row: Row) => string

export type Column<Row> = {
  readonly cell: Cell<Row>
  /** Numbers are aligned; the label of an action is not repeated on a phone. */
  readonly kind?: 'number' | 'action'
  /** On a phone it leads the card, without its label: what readers look for first, such as amount and status. */
  readonly isLead?: true
  /** Who sees it in a list; operators see the rows of all partners. */
  readonly isOf?: 'operators' | 'partners'
}

/** By the keys of their labels, in this order. Most are nothing but their cells; one that is undefined is left out. */
export type Columns<Row> = Readonly<Partial<Record<ConsoleTextKey, Cell<Row> | Column<Row> | undefined>>>

export const numberColumn = <Row>(cell: Cell<Row>): Column<Row> => ({ cell, kind: 'number' })
export const actionColumn = <Row>(cell: Cell<Row>): Column<Row> => ({ cell, kind: 'action' })
export const leadColumn = <Row>(cell: Cell<Row>): Column<Row> => ({ cell, isLead: true })

/** Tables with so many columns become cards in wider windows, too. */
const WIDE_COLUMNS_MIN = 7

/** The rows, or a text in their place. */
export function dataTable<Row>(rows: readonly Row[], columns: Columns<Row>, emptyText: string): string {
  if (rows.length === 0) {
    return html`<p class="empty">${emptyText}</p>`
  }
  const shown = listColumns(columns).map(([key, { cell, kind, isLead }]) => ({
    label: consoleText(key),
    className: [kind, isLead && 'lead'].filter(Boolean).join(' '),
    cells: rows.map((row) => cell(row)),
  }))
  const heads = shown.map(
    ({ label, className, cells }) => html`<th scope="col" class="${className}">${label}!${timeLabelOf(cells)}</th>`,
  )
  const body = rows.map((_, n) => {
    const ofRow = shown.map(
      ({ label, className, cells }) => html`<td class="${className}" data-column="${label}">!${cells[n] ?? ''}</td>`,
    )
    return html`<tr>!${ofRow.join('')}</tr>`
  })
  return html`<table class="${shown.length < WIDE_COLUMNS_MIN ? '' : 'wide'}">
<thead><tr>!${heads.join('')}</tr></thead>
<tbody>!${body.join('\n')}</tbody>
</table>`
}

function listColumns<Row>(columns: Columns<Row>): readonly (readonly [ConsoleTextKey, Column<Row>])[] {
  return (Object.keys(columns) as ConsoleTextKey[]).flatMap((key) => {
    const column = columns[key]
    return column === undefined ? [] : [[key, typeof column === 'function' ? { cell: column } : column] as const]
  })
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
