/** What the guides in front of the operations are made of, and what they know of the gateway that serves them. */

import { html } from 'ghtml'
import type { Config } from '../../gateway/config/config.ts'
import { type CodeLanguage, highlight } from '../highlight.ts'

/** One chapter; its id can be linked to. */
export type Guide = { readonly id: string; readonly title: string; readonly body: string }

/** What differs between one gateway and another. */
export type Place = Pick<
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

/** Names with what each of them means. */
export function meanings(entries: readonly (readonly [name: string, meaning: string])[]): string {
  const rows = entries.map(
    ([name, meaning]) =>
      html`<div><dt><code>!${html`${name}`.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, '$&<wbr>')}</code></dt><dd>${meaning}</dd></div>`,
  )
  return `<dl>${rows.join('')}</dl>`
}
