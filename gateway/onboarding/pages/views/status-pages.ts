/** Renders the pages without fields: results, cancellation, saved, unknown links and errors. */
import { html } from 'ghtml'
import type { PageTexts, TextKey } from '../../../page-texts/page-texts.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import type { OnboardingStatus } from '../../store/onboarding.ts'
import { type FlowView, flowPage, formTo, numberLine } from '../flow-view.ts'

/** The result page; `back` is the partner's redirect URL with the status, null when there is none. */
export function outcomePage(view: FlowView, back: string | null): Page {
  const { onboarding, parties, texts } = view
  const { text } = texts
  const { status, statusReason } = onboarding
  const [title, explanation] =
    status === 'Rejected'
      ? [text('onboarding.rejected.title'), text(`onboarding.rejected.reasons.${statusReason ?? 'RiskEvaluation'}`)]
      : [text(OUTCOMES[status].title), text(OUTCOMES[status].text)]
  const link =
    back === null
      ? ''
      : html`<div class="actions"><a class="button" href="${back}">${text('authorisation.result.back', parties)}</a></div>`
  return flowPage(view, { title, body: html`<p>${explanation}</p>!${link}` })
}

const UNDER_REVIEW = { title: 'onboarding.underReview.title', text: 'onboarding.underReview.text' } as const

/** A rejection has a text for each reason. */
const OUTCOMES: Readonly<Record<Exclude<OnboardingStatus, 'Rejected'>, Readonly<Record<'title' | 'text', TextKey>>>> = {
  Created: UNDER_REVIEW,
  AwaitingCustomerAction: UNDER_REVIEW,
  ManualHandling: UNDER_REVIEW,
  Accepted: { title: 'onboarding.accepted.title', text: 'onboarding.accepted.text' },
  Cancelled: { title: 'onboarding.cancelled.title', text: 'onboarding.cancelled.text' },
  Expired: { title: 'onboarding.expired.title', text: 'onboarding.expired.text' },
}

/** Asks for confirmation of the cancellation. */
export function cancelPage(view: FlowView): Page {
  const { text } = view.texts
  return flowPage(view, {
    title: text('onboarding.cancel.title'),
    body: html`
<p>${text('onboarding.cancel.text')}</p>
<div class="actions">
<a class="button" href="${view.path}/continue">${text('onboarding.cancel.no')}</a>
!${formTo(view, 'stop', html`<button type="submit" class="second">${text('onboarding.cancel.yes')}</button>`)}
</div>`,
  })
}

/** Confirms that everything is saved for later. */
export function savedPage(view: FlowView, until: string): Page {
  const { text } = view.texts
  return flowPage(view, {
    title: text('onboarding.saved.title'),
    body: html`<p>${text('onboarding.saved.text', { until })}</p>
<div class="actions"><a class="button" href="${view.path}/continue">${text('onboarding.start.continue')}</a></div>`,
  })
}

/** Started in another browser: shows the progress and offers identification. */
export function otherBrowserPage(view: FlowView, { done, total, mayIdentify }: Progress): Page {
  const { text } = view.texts
  const identify = formTo(
    view,
    'identify',
    html`<div class="actions"><button type="submit">${text('onboarding.signer.identify')}</button></div>`,
  )
  return flowPage(view, {
    title: text('onboarding.otherBrowser.title'),
    body: html`
<p>${text('onboarding.otherBrowser.text')}</p>
<p>${text('onboarding.otherBrowser.done', { done, total })}</p>
!${mayIdentify ? identify : ''}
<p class="away"><a href="${view.path}/stop">${text('onboarding.form.cancel')}</a></p>`,
  })
}

export type Progress = { readonly done: number; readonly total: number; readonly mayIdentify: boolean }

/** A form of another or an expired session. */
export function expiredFormPage({ language, text }: PageTexts): Page {
  const body = html`<p>${text('onboarding.formExpired.text')}</p>`
  return { status: 403, language, title: text('onboarding.formExpired.title'), body }
}

/** An unknown or revoked link. */
export function invalidLinkPage({ language, text }: PageTexts): Page {
  const body = html`<p>${text('onboarding.linkUnknown.text')}</p>`
  return { status: 404, language, title: text('onboarding.linkUnknown.title'), body }
}

/** The company registry or the identity provider does not answer. */
export function unavailablePage({ language, text }: PageTexts, again: string): Page {
  return {
    status: 503,
    language,
    title: text('onboarding.unavailable.title'),
    body: html`<p>${text('onboarding.unavailable.text')}</p><div class="actions"><a class="button" href="${again}">${text('authorisation.unavailable.again')}</a></div>`,
  }
}

/** The request body is too large. */
export function tooLargePage({ language, text }: PageTexts, isFile: boolean): Page {
  const reason = isFile ? text('onboarding.documents.errors.too-large') : text('onboarding.fieldErrors.too-long')
  return { status: 413, language, title: text('onboarding.form.errorSummary'), body: html`<p>${reason}</p>` }
}

/** An internal error, or an unreadable request. */
export function errorPage({ language, text }: PageTexts, status: number, requestId: string): Page {
  const quote = html`<p class="quiet">${text('authorisation.serverError.quote', { requestId })}</p>`
  const body = html`<p>${text('authorisation.serverError.text')}</p>!${quote}`
  return { status, language, title: text('authorisation.serverError.title'), body }
}

/** What the flow asks for, in the order of its pages. */
const QUESTIONS = ['contact', 'owners', 'signers', 'terms', 'signatures'] as const

/** The start page of the company's link. */
export function startPage(view: FlowView): Page {
  const { onboarding, parties, texts } = view
  const { markup, text } = texts
  // Without a name the sentence above already shows the number.
  const questions = QUESTIONS.map((name) => html`<li>${text(`onboarding.start.questions.${name}`)}</li>`)
  return flowPage(view, {
    title: text('onboarding.start.title', parties),
    body: html`
<p>!${markup('onboarding.start.asks', parties)}</p>
!${onboarding.organisationName === null ? '' : html`<dl>!${numberLine(view)}</dl>`}
<h2>${text('onboarding.start.questionsTitle')}</h2>
<ul>!${questions.join('')}</ul>
<p>${text('onboarding.start.duration')}</p>
!${beginForm(view, onboarding.status === 'Created' ? text('onboarding.start.begin') : text('onboarding.start.continue'))}`,
  })
}

/** The start page of a signer's link: it discloses only the company's name. */
export function ownStartPage(view: FlowView): Page {
  const { parties } = view
  const { markup, text } = view.texts
  return flowPage(view, {
    title: text('onboarding.signer.title', parties),
    body: html`
<p>!${markup('onboarding.signer.invited', parties)}</p>
!${beginForm(view, text('onboarding.start.continue'))}`,
  })
}

/** Only this button uses the link: a GET has no side effects. */
function beginForm({ path, tokenField }: FlowView, label: string): string {
  return html`<div class="actions"><form method="post" action="${path}">!${tokenField}<button type="submit">${label}</button></form></div>`
}
