/** Renders long names of programs, URLs and e-mail addresses so that they break between their parts, not within words. */
import { html } from 'ghtml'

/** After punctuation, and before the capitals of `camelCase`. */
const BREAKS = /(?<=[/?&=._@:+-])(?=[\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})/u

export function breakableText(text: string): string {
  return text
    .split(BREAKS)
    .map((part) => html`${part}`)
    .join('<wbr>')
}
