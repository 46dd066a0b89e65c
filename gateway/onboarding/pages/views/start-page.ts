/** Renders the start page of a link: the partner, the company, the required information and the duration. */
import { html } from 'ghtml'
import type { Page } from '../../../platform/http/pages/page.ts'
import { type FlowView, flowPage, numberLine } from '../flow-view.ts'

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
