/** Renders the pages of errors: not found, not permitted, a form that is out of date, a failure. */
import { html } from 'ghtml'
import { consoleText } from '../texts/console-texts.ts'
import type { ConsolePage } from './console-page.ts'

/** An unknown id and one of another partner look the same. */
export function notFoundPage(): ConsolePage {
  return errorPage(404, consoleText('errors.notFoundTitle'), consoleText('errors.notFound'))
}

export function forbiddenPage(): ConsolePage {
  return errorPage(403, consoleText('errors.forbiddenTitle'), consoleText('errors.forbidden'))
}

export function staleFormPage(): ConsolePage {
  return errorPage(403, consoleText('errors.staleFormTitle'), consoleText('errors.staleForm'))
}

/** An action that was rejected, for example because the state has changed meanwhile, or a page; the message says why. */
export function rejectedPage(status: number, message: string, { isForm } = { isForm: true }): ConsolePage {
  return errorPage(status, consoleText(isForm ? 'errors.rejectedTitle' : 'errors.failedTitle'), message)
}

/** An error that none of our pages explains. */
export function failurePage(status: number, requestId: string): ConsolePage {
  return errorPage(status, consoleText('errors.failedTitle'), consoleText('errors.failed', { requestId }))
}

function errorPage(status: number, title: string, text: string): ConsolePage {
  const body = html`<p>${text}</p>
<p class="actions"><a class="button second" href="/console">${consoleText('errors.home')}</a></p>`
  return { kind: 'page', status, title, body }
}
