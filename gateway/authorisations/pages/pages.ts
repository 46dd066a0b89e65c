/** Renders the pages that a user sees on the way to the bank and back. */
import { html } from 'ghtml'
import type { Page } from '../../platform/http/pages/page.ts'
import { isSigned, type ScaOutcome, type ScaSession } from '../sca-session.ts'
import { isPayrollSummary } from '../signature-summary.ts'
import { renderSummary } from './summary-markup.ts'
import type { Parties, ScaPageTexts } from './texts/sca-page-texts.ts'

/** The data of a page. */
export type ScaPageView = {
  readonly session: ScaSession
  readonly texts: ScaPageTexts
  readonly parties: Parties
  /** Whether the next signature is given in the user's app instead of on the bank's pages. */
  readonly inApp: boolean
  /** The URL that the forms of this page post to. */
  readonly address: string
  /** Origins that the forms redirect to in the end: the bank's and the partner's. */
  readonly formOrigins: readonly string[]
}

/** Before the redirect: who requests the signature, for which company, and what is signed. */
export function reviewPage(view: ScaPageView): Page {
  const { address, session, texts } = view
  const isTogether = session.steps.some(({ shown }) => shown.length > 1)
  return page(view, {
    title: titleOf(view),
    body: html`
<p>!${requestMarkup(view)}</p>
!${renderSummary(texts, summaryItemsOf(session))}
!${isTogether ? html`<p>${texts.review.together}</p>` : ''}
<div class="actions">
<form method="post" action="${address}"><button type="submit">${continueText(view)}</button></form>
<form method="post" action="${address}/leave"><button type="submit" class="second">${leaveText(view)}</button></form>
</div>
<p class="quiet">${signingLocationText(view)}</p>`,
  })
}

/** Between two authorisations: what is done, and what is left. After a mere sign-in nothing is signed yet. */
export function nextStepPage(view: ScaPageView): Page {
  const { address, parties, texts } = view
  const { done, total } = progressOf(view.session)
  const left = view.session.steps.filter((step) => !isSigned(step))
  const progress = html`<p>${texts.next.oneAtATime(parties.bank)}</p>
<progress max="${String(total)}" value="${String(done)}">${texts.next.progress(done, total)}</progress>`
  return page(view, {
    title: done === 0 ? texts.loggedIn.title : texts.next.title(done, total),
    body: html`
!${done === 0 ? html`<p>${texts.loggedIn.text(parties.bank)}</p>` : progress}
!${renderSummary(texts, summaryItemsOf({ steps: left }))}
<div class="actions">
<form method="post" action="${address}/next"><button type="submit">${continueText(view)}</button></form>
<form method="post" action="${address}/leave"><button type="submit" class="second">${done === 0 ? leaveText(view) : texts.next.leaveRest}</button></form>
</div>`,
  })
}

/** After the return, while the bank has not reported an outcome. */
export function waitingPage(view: ScaPageView): Page {
  const { address, parties, texts } = view
  return page(view, {
    title: isAtIdentityProvider(view) ? texts.person.waiting(parties.bank) : texts.waiting.title,
    refreshSeconds: 1,
    body: html`
<span class="waiting"></span>
<p role="status">${texts.waiting.notYet(parties.bank)}</p>
<div class="actions">
<form method="post" action="${address}/leave"><button type="submit" class="second">${texts.waiting.back(parties.partner)}</button></form>
</div>
<p class="quiet">${texts.waiting.counts}</p>`,
  })
}

/** The bank's instructions and the URL of its QR code, for signatures that are given in an app. */
export type AppInstructions = { readonly text: string | null; readonly qrAddress: string | null }

/** While the user signs in an app; with a QR code for a phone that scans this screen. */
export function appPage(view: ScaPageView, { text, qrAddress }: AppInstructions): Page {
  const { address, parties, texts } = view
  return page(view, {
    title: texts.app.title,
    refreshSeconds: 1,
    images: qrAddress !== null,
    body: html`
<p role="status">${qrAddress === null ? texts.app.openApp(parties.bank) : texts.app.scan}</p>
!${text === null ? '' : html`<p>${texts.app.bankSays(parties.bank)} <q>${text}</q></p>`}
!${qrAddress === null ? html`<span class="waiting"></span>` : html`<img class="code" src="${qrAddress}" alt="${texts.app.codeAlternative}">`}
<p class="quiet">${texts.app.looksAgain}</p>
!${renderSummary(texts, summaryItemsOf({ steps: view.session.steps.filter((step) => step.state === 'open') }))}
<div class="actions">
<form method="post" action="${address}/leave"><button type="submit" class="second">${leaveText(view)}</button></form>
</div>`,
  })
}

/** After a return in another browser than the one that started: shows what is signed, which does not count yet. */
export function confirmPage(view: ScaPageView): Page {
  const { address, parties, texts } = view
  const { givenMarkup, no, onlyIf, yes } = isAtIdentityProvider(view) ? texts.person.confirm : texts.confirm
  return page(view, {
    title: texts.confirm.title,
    body: html`
<p>!${givenMarkup(parties)}</p>
!${renderSummary(texts, summaryItemsOf(view.session))}
<p>${onlyIf(parties.partner)}</p>
<div class="actions">
<form method="post" action="${address}/refuse"><button type="submit">${no}</button></form>
<form method="post" action="${address}/confirm"><button type="submit" class="second">${yes}</button></form>
</div>`,
  })
}

/** The outcome, for a user who opens the link again. */
export function resultPage(view: ScaPageView, outcome: ScaOutcome, callback: string): Page {
  const { parties, texts } = view
  const { done, total } = progressOf(view.session)
  const isWithdrawn = view.session.kind === 'cancellation' && outcome === 'success'
  return page(view, {
    title: isWithdrawn ? texts.result.cancellationSigned : texts.result.title[outcome],
    body: html`
!${isWithdrawn ? '' : html`<p>${done === 0 ? texts.result.nothing : texts.result.signed(done, total)}</p>`}
<div class="actions"><a class="button" href="${callback}">${texts.result.back(parties.partner)}</a></div>`,
  })
}

/** The bank is unavailable. */
export function unavailablePage(view: ScaPageView): Page {
  const { address, parties, texts } = view
  const counts = progressOf(view.session).done > 0 ? texts.unavailable.someSigned : texts.unavailable.nothingSigned
  return page(view, {
    status: 503,
    title: texts.unavailable.title(parties.bank),
    body: html`
<p>${isAtIdentityProvider(view) ? texts.person.unavailable(parties.bank) : texts.unavailable.text} ${counts}</p>
<div class="actions">
<a class="button" href="${address}">${texts.unavailable.again}</a>
<form method="post" action="${address}/leave"><button type="submit" class="second">${texts.result.back(parties.partner)}</button></form>
</div>`,
  })
}

type ScaPageParts = Omit<Page, 'status' | 'formOrigins' | 'language'> & { readonly status?: number }

function page({ formOrigins, texts }: ScaPageView, parts: ScaPageParts): Page {
  return { status: 200, formOrigins, language: texts.language, ...parts }
}

function titleOf({ session, texts }: ScaPageView): string {
  if (isPayrollSummary(summaryItemsOf(session))) {
    return session.kind === 'cancellation' ? texts.payroll.titleOfCancelling : texts.payroll.title
  }
  return texts.title({ kind: session.kind, count: summaryItemsOf(session).length })
}

function requestMarkup({ parties, session, texts }: ScaPageView): string {
  const { asksForAccessMarkup, asksMarkup, asksToCancelMarkup } = texts.review
  const markupByKind = {
    consent: asksForAccessMarkup,
    approval: asksMarkup,
    cancellation: isPayrollSummary(summaryItemsOf(session)) ? texts.payroll.asksToCancelMarkup : asksToCancelMarkup,
    onboarding: texts.person.asksMarkup,
  }
  return markupByKind[session.kind](parties)
}

function signingLocationText({ inApp, parties, session, texts }: ScaPageView): string {
  if (session.identityProvider !== null) {
    return texts.person.signedThere(parties.bank)
  }
  return inApp ? texts.review.signedInApp : texts.review.signedAtBank
}

function isAtIdentityProvider({ session }: ScaPageView): boolean {
  return session.identityProvider !== null
}

function continueText({ inApp, parties, texts }: ScaPageView): string {
  return inApp ? texts.review.continueInApp : texts.review.continueToBank(parties.bank)
}

function leaveText({ session, texts }: ScaPageView): string {
  const keep = isPayrollSummary(summaryItemsOf(session)) ? texts.payroll.keep : texts.review.keep
  return session.kind === 'cancellation' ? keep : texts.review.cancel
}

function summaryItemsOf({ steps }: Pick<ScaSession, 'steps'>) {
  return steps.flatMap(({ shown }) => shown)
}

/** Counted in items, not in signatures: one signature may cover many. */
function progressOf({ steps }: ScaSession): { done: number; total: number } {
  return { done: summaryItemsOf({ steps: steps.filter(isSigned) }).length, total: summaryItemsOf({ steps }).length }
}
