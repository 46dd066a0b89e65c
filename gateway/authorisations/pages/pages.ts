/** Renders the pages that a user sees before and after the redirect to the bank. */
import { html } from 'ghtml'
import type { PageTexts, TextKey } from '../../page-texts/page-texts.ts'
import type { Page } from '../../platform/http/pages/page.ts'
import { isSigned, type ScaOutcome, type ScaSession, type ScaSubjectType } from '../sca-session.ts'
import { summaryNounOf } from '../signature-summary.ts'
import type { ScaPageView } from './sca-page-view.ts'
import {
  earlierSignaturesNote,
  furtherSignatureNote,
  nextItemCount,
  renderSummary,
  sequenceNote,
  summaryTextKeys,
} from './summary-markup.ts'

/** Before the redirect: who requests the signature, for which company, and what is signed. */
export function reviewPage(view: ScaPageView): Page {
  const { address, session, texts } = view
  const { text } = texts
  const [signed, ...later] = session.steps.filter(({ shown }) => shown.length > 0)
  const isTogether = later.length === 0 && (signed?.shown.length ?? 0) > 1
  return page(view, {
    title: titleOf(view),
    body: html`
!${sequenceNote(view)}
!${earlierSignaturesNote(view)}
<p>!${requestMarkup(view)}</p>
!${renderSummary(texts, summaryItemsOf(session), nextItemCount(session))}
!${isTogether ? html`<p>${text('authorisation.review.together')}</p>` : ''}
<div class="actions">
<form method="post" action="${address}"><button type="submit">${continueText(view)}</button></form>
<form method="post" action="${address}/leave"><button type="submit" class="second">${leaveText(view)}</button></form>
</div>
<p class="quiet">${signingLocationText(view)}</p>`,
  })
}

/** Between two authorisations: what is signed, and what is left. After a mere sign-in nothing is signed yet. */
export function nextStepPage(view: ScaPageView): Page {
  const { address, parties, texts } = view
  const { text } = texts
  const { done, total } = progressOf(view.session)
  const left = view.session.steps.filter((step) => !isSigned(step))
  const progress = html`<p>${text('authorisation.next.oneAtATime', { bank: parties.bank, count: left.length })}</p>
<progress max="${String(total)}" value="${String(done)}">${text('authorisation.next.progress', { done, total })}</progress>`
  return page(view, {
    title: done === 0 ? text('authorisation.loggedIn.title') : text('authorisation.next.title', { done, total }),
    body: html`
!${done === 0 ? html`<p>${text('authorisation.loggedIn.text', parties)}</p>` : progress}
!${renderSummary(texts, summaryItemsOf({ steps: left }), nextItemCount({ steps: left }))}
<div class="actions">
<form method="post" action="${address}/next"><button type="submit">${continueText(view)}</button></form>
<form method="post" action="${address}/leave"><button type="submit" class="second">${done === 0 ? leaveText(view) : text('authorisation.next.leaveRest')}</button></form>
</div>`,
  })
}

/** After the return, while the bank has not reported an outcome. */
export function waitingPage(view: ScaPageView): Page {
  const { address, parties, texts } = view
  const { text } = texts
  return page(view, {
    title: isAtIdentityProvider(view)
      ? text('authorisation.person.waiting', parties)
      : text('authorisation.waiting.title'),
    refreshSeconds: 1,
    body: html`
<span class="waiting"></span>
<p role="status">${text('authorisation.waiting.notConfirmed', parties)}</p>
<div class="actions">
<form method="post" action="${address}/leave"><button type="submit" class="second">${text('authorisation.waiting.back', parties)}</button></form>
</div>
<p class="quiet">${text(isAtIdentityProvider(view) ? 'authorisation.person.signatureCounts' : 'authorisation.waiting.signatureCounts')}</p>`,
  })
}

/** After a return in another browser than the one that started: shows what is signed, which does not count yet. */
export function confirmPage(view: ScaPageView): Page {
  const { address, parties, texts } = view
  const { text } = texts
  const group = isAtIdentityProvider(view) ? 'person.confirm' : 'confirm'
  return page(view, {
    title: text('authorisation.confirm.title'),
    body: html`
<p>!${texts.markup(`authorisation.${group}.given`, parties)}</p>
!${renderSummary(texts, summaryItemsOf(view.session))}
<p>${text(`authorisation.${group}.onlyIf`, parties)}</p>
<div class="actions">
<form method="post" action="${address}/refuse"><button type="submit">${text(`authorisation.${group}.no`)}</button></form>
<form method="post" action="${address}/confirm"><button type="submit" class="second">${text(`authorisation.${group}.yes`)}</button></form>
</div>`,
  })
}

/** The outcome, for a user who opens the link again. */
export function resultPage(view: ScaPageView, outcome: ScaOutcome, callback: string): Page {
  const { parties } = view
  const { text } = view.texts
  const { done, total } = progressOf(view.session)
  const isWithdrawn = view.session.kind === 'cancellation' && outcome === 'success'
  // Of one thing the title says it all.
  const isSaid = isWithdrawn || (done === 1 && total === 1)
  const signed = done === 0 ? nothingSignedText(view) : text('authorisation.result.signed', { done, total })
  return page(view, {
    title: isWithdrawn ? text('authorisation.result.cancellationSigned') : outcomeTitle(view, outcome),
    body: html`
!${isSaid ? '' : html`<p>${signed}</p>`}
!${outcome === 'success' ? furtherSignatureNote(view) : ''}
<div class="actions"><a class="button" href="${callback}">${text('authorisation.result.back', parties)}</a></div>`,
  })
}

/** The bank does not answer, or not in a way that helps the user. */
export function unavailablePage(view: ScaPageView, why: 'unavailable' | 'unusable-answer'): Page {
  const { address, parties, texts } = view
  const { text } = texts
  const counts =
    progressOf(view.session).done > 0 ? text('authorisation.unavailable.someSigned') : nothingSignedText(view)
  const silence = isAtIdentityProvider(view)
    ? text('authorisation.person.unavailable', parties)
    : text('authorisation.unavailable.text')
  const isAnswered = why === 'unusable-answer'
  return page(view, {
    status: 503,
    title: text(isAnswered ? 'authorisation.unavailable.unusableTitle' : 'authorisation.unavailable.title', parties),
    body: html`
<p>${isAnswered ? text('authorisation.unavailable.unusableText', parties) : silence} ${counts}</p>
<div class="actions">
<a class="button" href="${address}">${text('authorisation.unavailable.again')}</a>
<form method="post" action="${address}/leave"><button type="submit" class="second">${text('authorisation.result.back', parties)}</button></form>
</div>`,
  })
}

/** A link that is used or expired. */
export function linkUsedPage({ language, text }: PageTexts): Page {
  const title = text('authorisation.linkUsed.title')
  return { status: 410, language, title, body: html`<p>${text('authorisation.linkUsed.text')}</p>` }
}

export function linkUnknownPage({ language, text }: PageTexts): Page {
  const title = text('authorisation.linkUnknown.title')
  return { status: 404, language, title, body: html`<p>${text('authorisation.linkUnknown.text')}</p>` }
}

export function serverErrorPage({ language, text }: PageTexts, requestId: string): Page {
  return {
    status: 500,
    language,
    title: text('authorisation.serverError.title'),
    body: html`<p>${text('authorisation.serverError.text')}</p>
<p class="quiet">${text('authorisation.serverError.quote', { requestId })}</p>`,
  }
}

type ScaPageParts = Omit<Page, 'status' | 'formOrigins' | 'language'> & { readonly status?: number }

/** A page with the language and the permitted form targets of its view. */
export function page({ countryLanguages, formOrigins, texts }: ScaPageView, parts: ScaPageParts): Page {
  return { status: 200, formOrigins, language: texts.language, countryLanguages, ...parts }
}

function titleOf({ session, texts: { text } }: ScaPageView): string {
  return text(textKeysOf(session).title[session.kind], { count: summaryItemsOf(session).length })
}

function requestMarkup({ parties, session, texts }: ScaPageView): string {
  const keyByKind: Readonly<Record<ScaSubjectType, TextKey>> = {
    consent: 'authorisation.review.asksForAccess',
    approval: 'authorisation.review.asks',
    cancellation: textKeysOf(session).asksToCancel,
    onboarding: 'authorisation.person.asks',
  }
  return texts.markup(keyByKind[session.kind], parties)
}

function signingLocationText({ inApp, parties, session, texts: { text } }: ScaPageView): string {
  if (session.identityProvider !== null) {
    return text('authorisation.person.signedThere', parties)
  }
  return inApp ? text('authorisation.review.signedInApp') : text('authorisation.review.signedAtBank')
}

/** An agreement has another verb than a payment in Danish. */
function outcomeTitle(view: ScaPageView, outcome: ScaOutcome): string {
  const { text } = view.texts
  return outcome === 'cancelled' || !isAtIdentityProvider(view)
    ? text(`authorisation.result.title.${outcome}`)
    : text(`onboarding.signer.${outcome === 'success' ? 'signed' : 'rejected'}.title`)
}

function nothingSignedText(view: ScaPageView): string {
  return view.texts.text(
    isAtIdentityProvider(view) ? 'authorisation.person.nothingSigned' : 'authorisation.result.nothing',
  )
}

function isAtIdentityProvider({ session }: ScaPageView): boolean {
  return session.identityProvider !== null
}

function continueText({ inApp, parties, texts: { text } }: ScaPageView): string {
  return inApp ? text('authorisation.review.continueInApp') : text('authorisation.review.continueToBank', parties)
}

/** The button by which the user leaves. */
export function leaveText({ session, texts: { text } }: ScaPageView): string {
  return text(session.kind === 'cancellation' ? textKeysOf(session).keep : 'authorisation.review.cancel')
}

function textKeysOf(session: ScaSession) {
  return summaryTextKeys[summaryNounOf(summaryItemsOf(session))]
}

/** Everything that some steps sign. */
export function summaryItemsOf({ steps }: Pick<ScaSession, 'steps'>) {
  return steps.flatMap(({ shown }) => shown)
}

/** Counted in items, not in signatures: one signature may cover many. */
function progressOf({ steps }: ScaSession): { done: number; total: number } {
  return { done: summaryItemsOf({ steps: steps.filter(isSigned) }).length, total: summaryItemsOf({ steps }).length }
}
