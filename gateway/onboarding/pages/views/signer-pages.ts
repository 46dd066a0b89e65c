/** Renders the pages of a signer with a personal link; before identification they show only the company's name. */
import { html } from 'ghtml'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { checkboxField } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import {
  hasCurrentTerms,
  type OnboardingAnswers,
  type SectionAnswers,
  TERMS_VERSION,
} from '../../store/onboarding-answers.ts'
import { type FlowView, type FormErrors, flowPage, formPage, formTo, NO_FORM_ERRORS } from '../flow-view.ts'
import { everything } from './summary-page.ts'

/** Asks the signer to identify. */
export function identifyPage(view: FlowView, isOtherPerson: boolean): Page {
  const { markup, text } = view.texts
  const wrong = html`<div class="notice" role="alert"><p>${text('onboarding.signer.otherPerson')}</p></div>`
  return flowPage(view, {
    title: text('onboarding.signer.title', view.parties),
    body: html`
!${isOtherPerson ? wrong : ''}
<p>!${markup('onboarding.signer.invited', view.parties)}</p>
<p class="quiet">${text('onboarding.signer.identifyFirst')}</p>
<div class="actions">
!${formTo(view, 'identify', html`<button type="submit">${text('onboarding.signer.identify')}</button>`)}
</div>`,
  })
}

/** Shows the document to the identified signer. */
export function signerSummaryPage(
  view: FlowView,
  answers: SectionAnswers,
  fault: 'failed' | 'other-person' | null,
): Page {
  const { markup, text } = view.texts
  const what = fault === 'other-person' ? text('onboarding.signer.otherPerson') : text('onboarding.signer.failed')
  const failed = html`<div class="notice" role="alert"><p>${what}</p></div>`
  return flowPage(view, {
    title: text('onboarding.signer.summary'),
    body: html`
!${fault === null ? '' : failed}
<p>!${markup('onboarding.signer.asks', view.parties)}</p>
!${everything(view, answers, false)}
<ol class="terms">!${termsClauses(view)}</ol>
<div class="actions">
!${formTo(view, 'sign', html`<button type="submit">${text('onboarding.signer.sign')}</button>`)}
<a class="button second" href="${view.path}/refuse">${text('onboarding.signer.refuse')}</a>
</div>`,
  })
}

/** Asks for confirmation, because other signers wait for the answer. */
export function declinePage(view: FlowView): Page {
  const { text } = view.texts
  return flowPage(view, {
    title: text('onboarding.signer.refuseTitle'),
    body: html`
<p>${text('onboarding.signer.refuseText')}</p>
<div class="actions">
<a class="button" href="${view.path}/continue">${text('onboarding.signer.refuseNo')}</a>
!${formTo(view, 'refuse', html`<button type="submit" class="second">${text('onboarding.signer.refuseYes')}</button>`)}
</div>`,
  })
}

/** The result of the signer's own part. */
export function signerResultPage(view: FlowView, end: 'signed' | 'rejected'): Page {
  const { text } = view.texts
  const title = text(`onboarding.signer.${end}.title`)
  return flowPage(view, { title, body: html`<p>${text(`onboarding.signer.${end}.text`)}</p>` })
}

const FIELD = 'accepted'
/** In the order in which they are read. */
const CLAUSES = ['mandate', 'approval', 'access', 'information', 'retention', 'termination'] as const

/** Parses the form; only the version that was shown can be accepted. */
export function readTermsForm(body: unknown): { readonly accepted: boolean } {
  const { text } = parseFormFields(body)
  return { accepted: text(FIELD) === 'yes' && text('shown') === TERMS_VERSION }
}

export function termsPage(view: FlowView, answers: OnboardingAnswers, formErrors: FormErrors = NO_FORM_ERRORS): Page {
  const { text } = view.texts
  const { validationErrors } = formErrors
  return formPage(view, 'terms', {
    formErrors,
    fields: html`
<ol class="terms">!${termsClauses(view)}</ol>
<p class="quiet">${text('onboarding.terms.version', { version: TERMS_VERSION })}</p>
<input type="hidden" name="shown" value="${TERMS_VERSION}">
!${checkboxField({ name: FIELD, label: text('onboarding.terms.accept'), isTicked: hasCurrentTerms(answers), validationErrors })}`,
  })
}

/** The clauses of the terms as list items. */
function termsClauses({ parties, texts }: Pick<FlowView, 'parties' | 'texts'>): string {
  const clauses = CLAUSES.map((clause) => html`<li>${texts.text(`onboarding.terms.clauses.${clause}`, parties)}</li>`)
  return clauses.join('')
}
