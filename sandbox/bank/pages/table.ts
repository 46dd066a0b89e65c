/** Writes a table that turns into a list of cards on a phone. */
import { html } from 'ghtml'

/** A column; numbers stand to the right. */
export type Column = { readonly title: string; readonly isNumber?: boolean }

/** Writes a table; the cells are HTML that has been escaped already. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const heads = columns.map((column) => html`<th scope="col" class="${classOf(column)}">${column.title}</th>`)
  const lines = rows.map(
    (cells) => html`<tr>!${columns.map((column, index) => cell(column, cells[index] ?? '')).join('')}</tr>`,
  )
  return html`<div class="table"><table><thead><tr>!${heads.join('')}</tr></thead><tbody>!${lines.join('')}</tbody></table></div>`
}

function cell(column: Column, content: string): string {
  return html`<td class="${classOf(column)}" data-title="${column.title}">!${content}</td>`
}

function classOf({ isNumber }: Column): string {
  return isNumber === true ? 'number' : ''
}
