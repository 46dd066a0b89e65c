/** Renders the terms in full, with an acceptance box that is not ticked in advance. */
import { html } from 'ghtml'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { checkboxField, errorSummary } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { hasCurrentTerms, type OnboardingAnswers, TERMS_VERSION } from '../../answers/onboarding-answers.ts'
import { type FlowView, type FormErrors, formPage, NO_FORM_ERRORS } from '../flow-view.ts'

const FIELD = 'accepted'
/** In the order in which they are read. */
const CLAUSES = ['mandate', 'approval', 'access', 'information', 'retention', 'termination'] as const

/** Parses the form; only the version that was shown can be accepted. */
export function readTermsForm(body: unknown): { readonly accepted: boolean } {
  const { text } = parseFormFields(body)
  return { accepted: text(FIELD) === 'yes' && text('shown') === TERMS_VERSION }
}

export function termsPage(
  view: FlowView,
  answers: Pick<OnboardingAnswers, 'sections'>,
  formErrors: FormErrors = NO_FORM_ERRORS,
): Page {
  const { text } = view.texts
  const { validationErrors } = formErrors
  return formPage(view, 'terms', {
    title: text('onboarding.terms.title'),
    intro: text('onboarding.terms.intro'),
    formErrors,
    summary: errorSummary(text('onboarding.form.errorSummary'), validationErrors),
    fields: html`
<ol class="terms">!${termsClauses(view)}</ol>
<p class="quiet">${text('onboarding.terms.version', { version: TERMS_VERSION })}</p>
<input type="hidden" name="shown" value="${TERMS_VERSION}">
!${checkboxField({ name: FIELD, label: text('onboarding.terms.accept'), isTicked: hasCurrentTerms(answers), validationErrors })}
<div class="actions"><button type="submit">${text('onboarding.form.saveAndContinue')}</button></div>`,
  })
}

/** The clauses of the terms as list items. */
export function termsClauses({ parties, texts }: Pick<FlowView, 'parties' | 'texts'>): string {
  const clauses = CLAUSES.map((clause) => html`<li>${texts.text(`onboarding.terms.clauses.${clause}`, parties)}</li>`)
  return clauses.join('')
}
