/** The pages on which nothing is filled in: how it ended, waiting, leaving, and links and forms that lead nowhere. */
import { html } from 'ghtml'
import { textsIn as signingTextsIn } from '../../../authorisations/pages/texts/texts-by-language.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { type FlowView, flowPage, formTo } from '../flow-view.ts'
import type { OnboardingTexts, Said } from '../texts/texts.ts'

/** How it stands once nobody has anything to do; whoever came from the partner's program is led back. */
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
  /** The partner's address with the outcome in it; null where there is none, or nothing to tell yet. */
  readonly back: string | null
}

function outcomeOf({ onboarding, texts }: OutcomeView): Said {
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

/** Asked once more before everything is thrown away. */
export function stopPage(view: FlowView): Page {
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

/** Gone for now. */
export function leftPage(view: FlowView, until: string): Page {
  const { left, start } = view.texts
  return flowPage(view, {
    title: left.title,
    body: html`<p>${left.text(until)}</p>
<div class="actions"><a class="button second" href="${view.path}/continue">${start.goOn}</a></div>`,
  })
}

/** Begun in another browser: how far it is, and a way to see it. */
export function elsewherePage(view: FlowView, { done, total, mayIdentify }: Progress): Page {
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

/** A form that was made for another session, or a session that is over. */
export function foreignPage({ foreign, language }: OnboardingTexts): Page {
  return saying(403, language, foreign)
}

/** A link that leads nowhere, or nowhere any more. */
export function unknownPage({ language, unknown }: OnboardingTexts): Page {
  return saying(404, language, unknown)
}

/** Somebody whom we need does not answer: the registry, or the identity provider. */
export function unavailablePage({ language, unavailable }: OnboardingTexts, again: string): Page {
  const { title, text } = unavailable
  return {
    status: 503,
    language,
    title,
    body: html`<p>${text}</p><div class="actions"><a class="button" href="${again}">${signingTextsIn(language).unavailable.again}</a></div>`,
  }
}

/** A form or a file that is larger than any of ours. */
export function tooLargePage({ documents, faults, language, problems }: OnboardingTexts, isFile: boolean): Page {
  return saying(413, language, { title: problems, text: isFile ? documents.faults['too-large'] : faults['too-long'] })
}

/** Something of ours failed, or what was sent cannot be read. */
export function brokenPage({ language }: OnboardingTexts, status: number, requestId: string): Page {
  const { broken } = signingTextsIn(language)
  const quote = html`<p class="quiet">${broken.quote(requestId)}</p>`
  return { status, language, title: broken.title, body: html`<p>${broken.text}</p>!${quote}` }
}

function saying(status: number, language: OnboardingTexts['language'], { title, text }: Said): Page {
  return { status, language, title, body: html`<p>${text}</p>` }
}
