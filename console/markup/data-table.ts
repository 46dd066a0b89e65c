/** Renders tables, which become cards on a phone, and what is shown in their place when they are empty. */
import { html } from 'ghtml'

export type Column = {
  readonly label: string
  /** Numbers are aligned; the label of an action is not repeated on a phone. */
  readonly kind?: 'number' | 'action'
}

/** One row per list of cells, which are markup. */
export function dataTable(columns: readonly Column[], rows: readonly (readonly string[])[], emptyText: string): string {
  if (rows.length === 0) {
    return html`<p class="empty">${emptyText}</p>`
  }
  const heads = columns.map(({ label, kind }) => html`<th scope="col" class="${kind ?? ''}">${label}</th>`)
  const body = rows.map((cells) => html`<tr>!${cells.map((cell, n) => cellOf(columns[n], cell)).join('')}</tr>`)
  return html`<table>
<thead><tr>!${heads.join('')}</tr></thead>
<tbody>!${body.join('\n')}</tbody>
</table>`
}

function cellOf(column: Column | undefined, cell: string): string {
  return html`<td class="${column?.kind ?? ''}" data-column="${column?.label ?? ''}">!${cell}</td>`
}
