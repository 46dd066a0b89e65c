/** Renders texts of the contract as HTML: escaped, with text in back quotes as code. */
import { html } from 'ghtml'

/** The text as HTML. */
export function renderInlineCode(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
    .join('')
}
