/** Renders a value with a button that copies it; without scripts the value is selected by one click. */
import { html } from 'ghtml'
import { consoleText } from '../../texts/console-texts.ts'

/** The script that a page with copy buttons needs. */
export const COPY_SCRIPT_PATH = '/assets/console-copy.mjs'
export const COPY_SCRIPT_FILE = new URL('./copy-browser.mjs', import.meta.url)

const ICON =
  '<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"><rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15H4V4h11v1"/></svg>'

/** Whether the markup has copy buttons: in no text of a user is an equals sign unescaped. */
export function hasCopyButtons(markup: string): boolean {
  return markup.includes(' data-copy="')
}

/** An id in a list, shortened so that its column stays narrow; a link where the subject has a page. */
export function idMarkup(id: string, path?: string): string {
  const code = html`<code title="${id}">${shortId(id)}</code>`
  const shown = path === undefined ? code : html`<a href="${path}">!${code}</a>`
  return html`<span class="id">!${shown}!${copyButton(id, shortId(id), ICON)}</span>`
}

/** `01a2…e5f6a7`: ids that were made at the same time begin alike. */
export function shortId(id: string): string {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? `${id.slice(0, 4)}…${id.slice(-6)}` : id
}

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

/** `icon` is markup that stands for the text. */
function copyButton(value: string, label: string, icon = ''): string {
  const text = consoleText('copy.copy')
  const shown = icon === '' ? text : html`!${icon}<span class="unseen">${text}</span>`
  return html`<button type="button" class="second copy" data-copy="${value}" data-copied="${consoleText('copy.copied')}" aria-label="${text}: ${label}">!${shown}</button>`
}
