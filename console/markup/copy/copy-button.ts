/** Renders a value with a button that copies it; without scripts the value is selected by one click. */
import { html } from 'ghtml'
import { consoleText } from '../../texts/console-texts.ts'

/** The script that a page with copy buttons names. */
export const COPY_SCRIPT_PATH = '/assets/console-copy.mjs'
export const COPY_SCRIPT_FILE = new URL('./copy-browser.mjs', import.meta.url)

/** `label` says what is copied, for screen readers. */
export function copyableCode(value: string, label: string): string {
  return html`<span class="copyable"><code>${value}</code>!${copyButton(value, label)}</span>`
}

/** Of several lines. */
export function copyableText(text: string, label: string): string {
  return html`<pre tabindex="0">${text}</pre><p class="actions">!${copyButton(text, label)}</p>`
}

/** Lines to copy, such as a command. */
export function copyableLines(value: string, label: string): string {
  return html`<div class="copyable"><pre tabindex="0">${value}</pre>!${copyButton(value, label)}</div>`
}

function copyButton(value: string, label: string): string {
  return html`<button type="button" class="second copy" data-copy="${value}" data-copied="${consoleText('copy.copied')}" aria-label="${consoleText('copy.copy')}: ${label}">${consoleText('copy.copy')}</button>`
}
