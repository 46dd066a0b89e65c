/** Writes the pages that a user sees on the way to the bank and back. */
import { html } from 'ghtml'
import type { Page } from '../foundation/http/page.ts'
import { isSigned, type Shown, type Signing, type SigningSummary } from './signing.ts'

/** What every page of a signing is written from. */
export type SigningView = {
  readonly signing: Signing
  readonly summary: SigningSummary
  readonly bankName: string
  /** Where the forms of this page post to. */
  readonly address: string
  /** Origins that those forms lead to in the end: the bank's and the partner's. */
  readonly formOrigins: readonly string[]
}

/** Before the bank: who asks, for which company, and what is signed. */
export function reviewPage(view: SigningView): Page {
  const { summary, bankName, address } = view
  return page(view, {
    title: summary.title,
    body: html`
<p><strong>${summary.partnerName}</strong> asks you to sign this for <strong>${summary.companyName}</strong>. Check that everything is right before you go on to ${bankName}.</p>
!${shownItems(view.signing)}
<div class="actions">
<form method="post" action="${address}"><button type="submit">Continue to ${bankName}</button></form>
<form method="post" action="${address}/leave"><button type="submit" class="second">Cancel</button></form>
</div>
<p class="quiet">You sign on the bank’s own pages; nothing is signed here. The link is meant for you alone.</p>`,
  })
}

/** Between two authorisations: what is done, and what is left. */
export function nextPage(view: SigningView): Page {
  const done = view.signing.steps.filter(isSigned).length
  const total = view.signing.steps.length
  return page(view, {
    title: `${done} of ${total} signed`,
    body: html`
<p>${view.bankName} takes these one at a time. This is what comes next.</p>
<progress max="${String(total)}" value="${String(done)}">${String(done)} of ${String(total)}</progress>
!${shownItems({ ...view.signing, steps: view.signing.steps.filter((step) => !isSigned(step)) })}
<div class="actions">
<form method="post" action="${view.address}/next"><button type="submit">Continue to ${view.bankName}</button></form>
<form method="post" action="${view.address}/leave"><button type="submit" class="second">Leave the rest</button></form>
</div>`,
  })
}

/** Back from the bank, which has not said yet how it ended. */
export function waitingPage(view: SigningView): Page {
  return page(view, {
    title: 'Waiting for your bank',
    refreshSeconds: 2,
    body: html`
<span class="waiting"></span>
<p role="status">${view.bankName} has not confirmed yet. This page looks again by itself; there is nothing you need to do.</p>
<div class="actions">
<form method="post" action="${view.address}/leave"><button type="submit" class="second">Go back to ${view.summary.partnerName} without waiting</button></form>
</div>
<p class="quiet">If you have signed, your signature counts even when you leave this page.</p>`,
  })
}

/** A link that led somewhere once. */
export function usedPage(): Page {
  return {
    status: 410,
    title: 'This link has been used or has expired',
    body: html`<p>A signing link works once, in one browser, for a few minutes. Go back to the program that sent you here: it knows how things stand, and can start again if needed.</p>`,
  }
}

/** A link that leads nowhere. */
export function unknownPage(): Page {
  return {
    status: 404,
    title: 'This link is not known',
    body: html`<p>Perhaps it was cut off on its way. Open it again from the program that gave it to you.</p>`,
  }
}

/** Something of ours failed. */
export function brokenPage(requestId: string): Page {
  return {
    status: 500,
    title: 'Something went wrong',
    body: html`<p>The fault is ours, not yours. Try again in a minute, or go back to the program that sent you here.</p>
<p class="quiet">If you ask for help, quote ${requestId}.</p>`,
  }
}

/** The bank cannot be reached at this moment. */
export function unavailablePage(view: SigningView): Page {
  const counts = view.signing.steps.some(isSigned)
    ? 'What you have signed already counts; the rest is not signed.'
    : 'Nothing was signed.'
  return page(view, {
    status: 503,
    title: `${view.bankName} cannot be reached`,
    body: html`
<p>The bank does not answer at this moment. ${counts} You can try again in a minute.</p>
<div class="actions">
<a class="button" href="${view.address}">Try again</a>
<form method="post" action="${view.address}/leave"><button type="submit" class="second">Go back to ${view.summary.partnerName}</button></form>
</div>`,
  })
}

function page(view: SigningView, parts: Omit<Page, 'status' | 'formOrigins'> & { readonly status?: number }): Page {
  return { status: 200, formOrigins: view.formOrigins, ...parts }
}

function shownItems({ steps }: Signing): string {
  return steps.map(({ shown }) => html`<dl>!${shown.map(shownLine).join('')}</dl>`).join('')
}

/** Money is what the eye must find first. */
function shownLine({ label, value }: Shown[number]): string {
  return html`<div class="${label === 'Amount' ? 'amount' : ''}"><dt>${label}</dt><dd>${value}</dd></div>`
}
