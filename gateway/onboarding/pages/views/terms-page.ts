/** Renders the terms in full, with an acceptance box that is not ticked in advance. */
import { html } from 'ghtml'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { checkboxField, errorSummary } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { hasCurrentTerms, type OnboardingAnswers, TERMS_VERSION } from '../../answers/onboarding-answers.ts'
import { type FlowView, type FormErrors, formPage, NO_FORM_ERRORS } from '../flow-view.ts'

const FIELD = 'accepted'

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
  const { goOn, problems: problemsTitle, terms } = view.texts
  const { problems } = formErrors
  const clauses = terms.clauses(view.parties).map((clause) => html`<li>${clause}</li>`)
  return formPage(view, 'terms', {
    title: terms.title,
    intro: terms.intro,
    formErrors,
    summary: errorSummary(problemsTitle, problems),
    fields: html`
<ol class="terms">!${clauses.join('')}</ol>
<p class="quiet">${terms.version(TERMS_VERSION)}</p>
<input type="hidden" name="shown" value="${TERMS_VERSION}">
!${checkboxField({ name: FIELD, label: terms.accept, isTicked: hasCurrentTerms(answers), problems })}
<div class="actions"><button type="submit">${goOn}</button></div>`,
  })
}
