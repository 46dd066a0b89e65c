/** Renders the pages without fields: results, cancellation, saved, unknown links and errors. */
import { html } from 'ghtml'
import { textsIn as signingTextsIn } from '../../../authorisations/pages/texts/texts-by-language.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { type FlowView, flowPage, formTo } from '../flow-view.ts'
import type { OnboardingTexts, TitledText } from '../texts/texts.ts'

/** The result page, with a link back to the partner. */
export function outcomePage(view: OutcomeView): Page {
  const { title, text } = outcomeOf(view)
  const back =
    view.back === null
      ? ''
      : html`<div class="actions"><a class="button" href="${view.back}">${signingTextsIn(view.texts.language).result.back(view.partner)}</a></div>`
  return flowPage(view, { title, body: html`<p>${text}</p>!${back}` })
}

export type OutcomeView = Pick<FlowView, 'onboarding' | 'texts' | 'formOrigins'> & {
  readonly partner: string
  /** The partner's redirect URL with the status; null when there is none. */
  readonly back: string | null
}

function outcomeOf({ onboarding, texts }: OutcomeView): TitledText {
  const { status, statusReason } = onboarding
  switch (status) {
    case 'Accepted':
      return texts.accepted
    case 'Rejected':
      return { title: texts.rejected.title, text: texts.rejected.reasons[statusReason ?? 'RiskEvaluation'] }
    case 'Cancelled':
      return texts.cancelled
    case 'Expired':
      return texts.expired
    case 'ManualHandling':
    case 'Created':
    case 'AwaitingCustomerAction':
      return texts.looking
  }
}

/** Asks for confirmation of the cancellation. */
export function cancelPage(view: FlowView): Page {
  const { stopping } = view.texts
  return flowPage(view, {
    title: stopping.title,
    body: html`
<p>${stopping.text}</p>
<div class="actions">
<a class="button" href="${view.path}/continue">${stopping.no}</a>
!${formTo(view, 'stop', html`<button type="submit" class="second">${stopping.yes}</button>`)}
</div>`,
  })
}

/** Confirms that everything is saved for later. */
export function savedPage(view: FlowView, until: string): Page {
  const { left, start } = view.texts
  return flowPage(view, {
    title: left.title,
    body: html`<p>${left.text(until)}</p>
<div class="actions"><a class="button second" href="${view.path}/continue">${start.goOn}</a></div>`,
  })
}

/** Started in another browser: shows the progress and offers identification. */
export function otherBrowserPage(view: FlowView, { done, total, mayIdentify }: Progress): Page {
  const { elsewhere, ownSignature } = view.texts
  const identify = formTo(
    view,
    'identify',
    html`<div class="actions"><button type="submit">${ownSignature.identify}</button></div>`,
  )
  return flowPage(view, {
    title: elsewhere.title,
    body: html`
<p>${elsewhere.text}</p>
<p>${elsewhere.done(done, total)}</p>
!${mayIdentify ? identify : ''}
<p class="away"><a href="${view.path}/stop">${view.texts.stop}</a></p>`,
  })
}

export type Progress = { readonly done: number; readonly total: number; readonly mayIdentify: boolean }

/** A form of another or an expired session. */
export function expiredFormPage({ foreign, language }: OnboardingTexts): Page {
  return messagePage(403, language, foreign)
}

/** An unknown or revoked link. */
export function invalidLinkPage({ language, unknown }: OnboardingTexts): Page {
  return messagePage(404, language, unknown)
}

/** The company registry or the identity provider does not answer. */
export function unavailablePage({ language, unavailable }: OnboardingTexts, again: string): Page {
  const { title, text } = unavailable
  return {
    status: 503,
    language,
    title,
    body: html`<p>${text}</p><div class="actions"><a class="button" href="${again}">${signingTextsIn(language).unavailable.again}</a></div>`,
  }
}

/** The request body is too large. */
export function tooLargePage({ documents, faults, language, problems }: OnboardingTexts, isFile: boolean): Page {
  return messagePage(413, language, {
    title: problems,
    text: isFile ? documents.faults['too-large'] : faults['too-long'],
  })
}

/** An internal error, or an unreadable request. */
export function errorPage({ language }: OnboardingTexts, status: number, requestId: string): Page {
  const { broken } = signingTextsIn(language)
  const quote = html`<p class="quiet">${broken.quote(requestId)}</p>`
  return { status, language, title: broken.title, body: html`<p>${broken.text}</p>!${quote}` }
}

function messagePage(status: number, language: OnboardingTexts['language'], { title, text }: TitledText): Page {
  return { status, language, title, body: html`<p>${text}</p>` }
}
