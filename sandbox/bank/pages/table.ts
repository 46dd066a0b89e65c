/** Renders a table that becomes a list of cards on a small screen. */
import { html } from 'ghtml'

/** A column; numbers are right-aligned. */
export type Column = { readonly title: string; readonly isNumber?: boolean }

/** The cells are escaped HTML. */
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
