/** Prints texts of the contract as markup: escaped, with what stands in back quotes as code. */
import { html } from 'ghtml'

/** A sentence or two. */
export function prose(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
    .join('')
}
