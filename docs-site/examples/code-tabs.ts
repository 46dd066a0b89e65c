/** Renders the same call in several languages: one below the other, which the page's script turns into tabs. */
import { html } from 'ghtml'
import { codeBlock } from '../markdown/highlight-code.ts'

/** A call in one language. */
export type CodeTab = { readonly title: string; readonly language: string; readonly code: string }

/** The blocks, each with its title. */
export function codeTabs(tabs: readonly CodeTab[]): string {
  const parts = tabs.map(
    ({ title, language, code }) =>
      html`<div class="tab" data-tab="${title}"><p class="tab-title">${title}</p>!${codeBlock(code, language)}</div>`,
  )
  return `<div class="tabs">${parts.join('\n')}</div>`
}
