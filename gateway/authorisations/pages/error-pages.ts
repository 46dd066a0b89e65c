/** Renders the error pages of SCA sessions: used links, unknown links, server errors. */
import { html } from 'ghtml'
import type { PageTexts } from '../../page-texts/page-texts.ts'
import type { Page } from '../../platform/http/pages/page.ts'

/** A link that is used or expired. */
export function linkUsedPage({ language, text }: PageTexts): Page {
  const title = text('authorisation.linkUsed.title')
  return { status: 410, language, title, body: html`<p>${text('authorisation.linkUsed.text')}</p>` }
}

/** An unknown link. */
export function linkUnknownPage({ language, text }: PageTexts): Page {
  const title = text('authorisation.linkUnknown.title')
  return { status: 404, language, title, body: html`<p>${text('authorisation.linkUnknown.text')}</p>` }
}

/** A server error. */
export function serverErrorPage({ language, text }: PageTexts, requestId: string): Page {
  return {
    status: 500,
    language,
    title: text('authorisation.serverError.title'),
    body: html`<p>${text('authorisation.serverError.text')}</p>
<p class="quiet">${text('authorisation.serverError.quote', { requestId })}</p>`,
  }
}
