/** Writes the pages that a user sees on the way to the bank and back. */
import { html } from 'ghtml'
import type { Page } from '../../platform/http/pages/page.ts'
import { shownThings } from '../../signing/shown-markup.ts'
import { isSigned, type Signing, type SigningOutcome } from '../../signing/signing.ts'
import { isOfPayrolls } from '../signature-summary.ts'
import type { Parties, SigningTexts } from './texts/sca-page-texts.ts'

/** What every page of a signing is written from. */
export type SigningView = {
  readonly signing: Signing
  readonly texts: SigningTexts
  readonly parties: Parties
  /** Whether the next signature is given in the user's app instead of on the bank's pages. */
  readonly inApp: boolean
  /** Where the forms of this page post to. */
  readonly address: string
  /** Origins that those forms lead to in the end: the bank's and the partner's. */
  readonly formOrigins: readonly string[]
}

/** Before the bank: who asks, for which company, and what is signed. */
export function reviewPage(view: SigningView): Page {
  const { address, signing, texts } = view
  const isTogether = signing.steps.some(({ shown }) => shown.length > 1)
  return page(view, {
    title: titleOf(view),
    body: html`
<p>!${asks(view)}</p>
!${shownThings(texts, thingsOf(signing))}
!${isTogether ? html`<p>${texts.review.together}</p>` : ''}
<div class="actions">
<form method="post" action="${address}"><button type="submit">${continueText(view)}</button></form>
<form method="post" action="${address}/leave"><button type="submit" class="second">${leaveText(view)}</button></form>
</div>
<p class="quiet">${signedWhere(view)}</p>`,
  })
}

/** Between two authorisations: what is done, and what is left. Whoever has only logged in has signed nothing yet. */
export function nextPage(view: SigningView): Page {
  const { address, parties, texts } = view
  const { done, total } = progressOf(view.signing)
  const left = view.signing.steps.filter((step) => !isSigned(step))
  const progress = html`<p>${texts.next.oneAtATime(parties.bank)}</p>
<progress max="${String(total)}" value="${String(done)}">${texts.next.progress(done, total)}</progress>`
  return page(view, {
    title: done === 0 ? texts.loggedIn.title : texts.next.title(done, total),
    body: html`
!${done === 0 ? html`<p>${texts.loggedIn.text(parties.bank)}</p>` : progress}
!${shownThings(texts, thingsOf({ steps: left }))}
<div class="actions">
<form method="post" action="${address}/next"><button type="submit">${continueText(view)}</button></form>
<form method="post" action="${address}/leave"><button type="submit" class="second">${done === 0 ? leaveText(view) : texts.next.leaveRest}</button></form>
</div>`,
  })
}

/** Back from the bank, which has not said yet how it ended. */
export function waitingPage(view: SigningView): Page {
  const { address, parties, texts } = view
  return page(view, {
    title: atProvider(view) ? texts.person.waiting(parties.bank) : texts.waiting.title,
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

/** What the bank says to do, and where the image of its code is, for signatures that are given in an app. */
export type InApp = { readonly text: string | null; readonly qrAddress: string | null }

/** While the user signs in an app; with a code, for a phone that scans this screen. */
export function appPage(view: SigningView, { text, qrAddress }: InApp): Page {
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
!${shownThings(texts, thingsOf({ steps: view.signing.steps.filter((step) => step.state === 'open') }))}
<div class="actions">
<form method="post" action="${address}/leave"><button type="submit" class="second">${leaveText(view)}</button></form>
</div>`,
  })
}

/** What came back in another browser than the one that began it: what is signed is shown, and does not count yet. */
export function confirmPage(view: SigningView): Page {
  const { address, parties, texts } = view
  const { givenMarkup, no, onlyIf, yes } = atProvider(view) ? texts.person.confirm : texts.confirm
  return page(view, {
    title: texts.confirm.title,
    body: html`
<p>!${givenMarkup(parties)}</p>
!${shownThings(texts, thingsOf(view.signing))}
<p>${onlyIf(parties.partner)}</p>
<div class="actions">
<form method="post" action="${address}/refuse"><button type="submit">${no}</button></form>
<form method="post" action="${address}/confirm"><button type="submit" class="second">${yes}</button></form>
</div>`,
  })
}

/** How it ended, for a user who comes by again. */
export function resultPage(view: SigningView, outcome: SigningOutcome, callback: string): Page {
  const { parties, texts } = view
  const { done, total } = progressOf(view.signing)
  const isWithdrawn = view.signing.kind === 'cancellation' && outcome === 'success'
  return page(view, {
    title: isWithdrawn ? texts.result.cancellationSigned : texts.result.title[outcome],
    body: html`
!${isWithdrawn ? '' : html`<p>${done === 0 ? texts.result.nothing : texts.result.signed(done, total)}</p>`}
<div class="actions"><a class="button" href="${callback}">${texts.result.back(parties.partner)}</a></div>`,
  })
}

/** The bank cannot be reached at this moment. */
export function unavailablePage(view: SigningView): Page {
  const { address, parties, texts } = view
  const counts = progressOf(view.signing).done > 0 ? texts.unavailable.someSigned : texts.unavailable.nothingSigned
  return page(view, {
    status: 503,
    title: texts.unavailable.title(parties.bank),
    body: html`
<p>${atProvider(view) ? texts.person.unavailable(parties.bank) : texts.unavailable.text} ${counts}</p>
<div class="actions">
<a class="button" href="${address}">${texts.unavailable.again}</a>
<form method="post" action="${address}/leave"><button type="submit" class="second">${texts.result.back(parties.partner)}</button></form>
</div>`,
  })
}

type OfSigning = Omit<Page, 'status' | 'formOrigins' | 'language'> & { readonly status?: number }

function page({ formOrigins, texts }: SigningView, parts: OfSigning): Page {
  return { status: 200, formOrigins, language: texts.language, ...parts }
}

function titleOf({ signing, texts }: SigningView): string {
  if (isOfPayrolls(thingsOf(signing))) {
    return signing.kind === 'cancellation' ? texts.payroll.titleOfCancelling : texts.payroll.title
  }
  return texts.title({ kind: signing.kind, count: thingsOf(signing).length })
}

function asks({ parties, signing, texts }: SigningView): string {
  const { asksForAccessMarkup, asksMarkup, asksToCancelMarkup } = texts.review
  const markupByKind = {
    consent: asksForAccessMarkup,
    approval: asksMarkup,
    cancellation: isOfPayrolls(thingsOf(signing)) ? texts.payroll.asksToCancelMarkup : asksToCancelMarkup,
    onboarding: texts.person.asksMarkup,
  }
  return markupByKind[signing.kind](parties)
}

function signedWhere({ inApp, parties, signing, texts }: SigningView): string {
  if (signing.identityProvider !== null) {
    return texts.person.signedThere(parties.bank)
  }
  return inApp ? texts.review.signedInApp : texts.review.signedAtBank
}

function atProvider({ signing }: SigningView): boolean {
  return signing.identityProvider !== null
}

function continueText({ inApp, parties, texts }: SigningView): string {
  return inApp ? texts.review.continueInApp : texts.review.continueToBank(parties.bank)
}

function leaveText({ signing, texts }: SigningView): string {
  const keep = isOfPayrolls(thingsOf(signing)) ? texts.payroll.keep : texts.review.keep
  return signing.kind === 'cancellation' ? keep : texts.review.cancel
}

function thingsOf({ steps }: Pick<Signing, 'steps'>) {
  return steps.flatMap(({ shown }) => shown)
}

/** Counted in things, not in signatures: one may sign many. */
function progressOf({ steps }: Signing): { done: number; total: number } {
  return { done: thingsOf({ steps: steps.filter(isSigned) }).length, total: thingsOf({ steps }).length }
}
