/** Writes the pages for addresses that lead to no signing, or to none any more. */
import { html } from 'ghtml'
import type { Page } from '../../platform/http/pages/page.ts'
import type { SigningTexts } from './texts/sca-page-texts.ts'

/** A link that led somewhere once. */
export function usedPage({ language, used }: SigningTexts): Page {
  return { status: 410, language, title: used.title, body: html`<p>${used.text}</p>` }
}

/** A link that leads nowhere. */
export function unknownPage({ language, unknown }: SigningTexts): Page {
  return { status: 404, language, title: unknown.title, body: html`<p>${unknown.text}</p>` }
}

/** Something of ours failed. */
export function brokenPage({ broken, language }: SigningTexts, requestId: string): Page {
  return {
    status: 500,
    language,
    title: broken.title,
    body: html`<p>${broken.text}</p>
<p class="quiet">${broken.quote(requestId)}</p>`,
  }
}
