/** Renders the error pages of SCA sessions: used links, unknown links, server errors. */
import { html } from 'ghtml'
import type { Page } from '../../platform/http/pages/page.ts'
import type { ScaPageTexts } from './texts/sca-page-texts.ts'

/** A link that is used or expired. */
export function linkUsedPage({ language, used }: ScaPageTexts): Page {
  return { status: 410, language, title: used.title, body: html`<p>${used.text}</p>` }
}

/** An unknown link. */
export function linkUnknownPage({ language, unknown }: ScaPageTexts): Page {
  return { status: 404, language, title: unknown.title, body: html`<p>${unknown.text}</p>` }
}

/** A server error. */
export function serverErrorPage({ broken, language }: ScaPageTexts, requestId: string): Page {
  return {
    status: 500,
    language,
    title: broken.title,
    body: html`<p>${broken.text}</p>
<p class="quiet">${broken.quote(requestId)}</p>`,
  }
}
