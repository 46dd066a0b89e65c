/** Renders the pages of a signer with a personal link; before identification they show only the company's name. */
import { html } from 'ghtml'
import type { Page } from '../../../platform/http/pages/page.ts'
import type { SectionAnswers } from '../../answers/onboarding-answers.ts'
import { type FlowView, flowPage, formTo } from '../flow-view.ts'
import { everything } from './summary-page.ts'

/** Asks the signer to identify. */
export function identifyPage(view: FlowView, isOtherPerson: boolean): Page {
  const { ownSignature } = view.texts
  const wrong = html`<div class="notice" role="alert"><p>${ownSignature.otherPerson}</p></div>`
  return flowPage(view, {
    title: ownSignature.title(view.parties.company),
    body: html`
!${isOtherPerson ? wrong : ''}
<p>!${ownSignature.startMarkup(view.parties.company)}</p>
<p class="quiet">${ownSignature.identifyFirst}</p>
<div class="actions">
!${formTo(view, 'identify', html`<button type="submit">${ownSignature.identify}</button>`)}
</div>`,
  })
}

/** Shows the document to the identified signer. */
export function signerSummaryPage(
  view: FlowView,
  answers: SectionAnswers,
  fault: 'failed' | 'other-person' | null,
): Page {
  const { ownSignature } = view.texts
  const what = fault === 'other-person' ? ownSignature.otherPerson : ownSignature.failed
  const failed = html`<div class="notice" role="alert"><p>${what}</p></div>`
  return flowPage(view, {
    title: ownSignature.summary,
    body: html`
!${fault === null ? '' : failed}
<p>!${ownSignature.asksMarkup(view.parties)}</p>
!${everything(view, answers, false)}
<ol class="terms">!${view.texts.terms
      .clauses(view.parties)
      .map((clause) => html`<li>${clause}</li>`)
      .join('')}</ol>
<div class="actions">
!${formTo(view, 'sign', html`<button type="submit">${ownSignature.sign}</button>`)}
<a class="button second" href="${view.path}/refuse">${ownSignature.refuse}</a>
</div>`,
  })
}

/** Asks for confirmation, because other signers wait for the answer. */
export function declinePage(view: FlowView): Page {
  const { ownSignature } = view.texts
  return flowPage(view, {
    title: ownSignature.refuseTitle,
    body: html`
<p>${ownSignature.refuseText}</p>
<div class="actions">
<a class="button" href="${view.path}/continue">${ownSignature.refuseNo}</a>
!${formTo(view, 'refuse', html`<button type="submit" class="second">${ownSignature.refuseYes}</button>`)}
</div>`,
  })
}

/** The result of the signer's own part. */
export function signerResultPage(view: Pick<FlowView, 'texts' | 'formOrigins'>, end: 'signed' | 'refused'): Page {
  const { title, text } = view.texts.ownSignature[end]
  return flowPage(view, { title, body: html`<p>${text}</p>` })
}
