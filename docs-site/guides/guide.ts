/** Defines the guides of the API reference, their settings and their HTML parts. */

import { html } from 'ghtml'
import type { Config } from '../../gateway/config/config.ts'
import { type CodeLanguage, highlight } from '../highlight.ts'

/** A chapter; its id is an HTML anchor. */
export type Guide = { readonly id: string; readonly title: string; readonly body: string }

/** The gateway settings that the documentation shows. */
export type DocsSettings = Pick<
  Config,
  | 'mode'
  | 'demo'
  | 'baseUrl'
  | 'authUrl'
  | 'tokenRequestsPerMinute'
  | 'requestsPerSecond'
  | 'sandboxBankUrl'
  | 'sandboxXs2aUrl'
  | 'companyRegistries'
>

/** A block of code. */
export function code(text: string, language: CodeLanguage): string {
  return html`<pre><code>!${highlight(text, language)}</code></pre>`
}

/** Names with their meanings. */
export function definitionList(entries: readonly (readonly [name: string, meaning: string])[]): string {
  const rows = entries.map(
    ([name, meaning]) =>
      html`<div><dt><code>!${html`${name}`.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, '$&<wbr>')}</code></dt><dd>${meaning}</dd></div>`,
  )
  return `<dl>${rows.join('')}</dl>`
}
