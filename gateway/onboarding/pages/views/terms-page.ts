/** The page of the terms, whole and in one place, with a box that nobody has ticked for their reader. */
import { html } from 'ghtml'
import { readForm } from '../../../platform/http/pages/form.ts'
import { problemSummary, tickField } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { hasTodaysTerms, type OnboardingAnswers, TERMS_VERSION } from '../../answers/onboarding-answers.ts'
import { type FlowView, NO_REMARKS, type Remarks, writtenPage } from '../flow-view.ts'

const FIELD = 'accepted'

/** What the form sends. Only what was shown can be accepted. */
export function readTermsForm(body: unknown): { readonly accepted: boolean } {
  const { text } = readForm(body)
  return { accepted: text(FIELD) === 'yes' && text('shown') === TERMS_VERSION }
}

export function termsPage(
  view: FlowView,
  answers: Pick<OnboardingAnswers, 'sections'>,
  remarks: Remarks = NO_REMARKS,
): Page {
  const { goOn, problems: problemsTitle, terms } = view.texts
  const { problems } = remarks
  const clauses = terms.clauses(view.parties).map((clause) => html`<li>${clause}</li>`)
  return writtenPage(view, 'terms', {
    title: terms.title,
    intro: terms.intro,
    remarks,
    summary: problemSummary(problemsTitle, problems),
    fields: html`
<ol class="terms">!${clauses.join('')}</ol>
<p class="quiet">${terms.version(TERMS_VERSION)}</p>
<input type="hidden" name="shown" value="${TERMS_VERSION}">
!${tickField({ name: FIELD, label: terms.accept, isTicked: hasTodaysTerms(answers), problems })}
<div class="actions"><button type="submit">${goOn}</button></div>`,
  })
}
