/** The view model and the layout that all pages of the hosted onboarding flow share. */
import { html } from 'ghtml'
import { countryRules, formatOrganisationNumber, isServedCountry } from '../../countries/served-countries.ts'
import type { PageTexts, TextKey } from '../../page-texts/page-texts.ts'
import { enterButton, errorSummary, type FieldError } from '../../platform/http/pages/form-markup.ts'
import type { Page } from '../../platform/http/pages/page.ts'
import type { Onboarding } from '../store/onboarding.ts'

/** The parties; the company's name, or its number while the name is unknown. */
type Parties = { readonly partner: string; readonly company: string }

/** The view model of a page for a browser with a session. */
export type FlowView = {
  readonly onboarding: Onboarding
  readonly texts: PageTexts
  readonly parties: Parties
  readonly path: string
  /** The hidden field that binds a form to the session. */
  readonly tokenField: string
  /** Origins that forms may redirect to (CSP form-action): the hosted signing pages, and the partner's. */
  readonly formOrigins: readonly string[]
}

/** The form's validation errors, and whether the answers were changed in another window. */
export type FormErrors = { readonly validationErrors: readonly FieldError[]; readonly isChangedMeanwhile?: boolean }

export const NO_FORM_ERRORS: FormErrors = { validationErrors: [] }

/** Status codes of a page with validation errors (RFC 9110, 15.5.21) and of a revision conflict. */
const INVALID = 422
const CONFLICT = 409

/** The form pages in their order, by the last path segment. */
export const FORM_PAGES = ['company', 'owners', 'signers', 'terms', 'summary'] as const
export type FormPageName = (typeof FORM_PAGES)[number]

type FormPage = { readonly title: TextKey; readonly intro: TextKey; readonly hasInput: boolean }

/** Whether a change of the language saves what was typed: neither terms nor a summary are accepted by one. */
const formPages: Readonly<Record<FormPageName, FormPage>> = {
  company: { title: 'onboarding.company.title', intro: 'onboarding.company.intro', hasInput: true },
  owners: { title: 'onboarding.owners.title', intro: 'onboarding.owners.intro', hasInput: true },
  signers: { title: 'onboarding.signers.title', intro: 'onboarding.signers.intro', hasInput: true },
  terms: { title: 'onboarding.terms.title', intro: 'onboarding.terms.intro', hasInput: false },
  summary: { title: 'onboarding.summary.title', intro: 'onboarding.summary.intro', hasInput: false },
}

type OfFlow = {
  readonly title: string
  readonly body: string
  readonly status?: number
  readonly refreshSeconds?: number
} & Pick<Page, 'switchForm'>

/** A page in the view's language. */
export function flowPage({ formOrigins, onboarding, texts }: FlowView, parts: OfFlow): Page {
  const countryLanguages = countryRules(onboarding.countryCode)?.languages
  return { status: 200, language: texts.language, countryLanguages, formOrigins, ...parts }
}

const SECTION_FORM = 'section'

export function formTo({ path, tokenField }: FlowView, action: string, fields: string, id = ''): string {
  return html`<form method="post" action="${path}/${action}" !${id === '' ? '' : html`id="${id}"`} novalidate>
!${tokenField}
!${fields}
</form>`
}

/** What a form page has of its own. */
type FormParts = {
  readonly intro?: string
  readonly fields: string
  readonly footnote?: string
  readonly formErrors: FormErrors
}

/** A page of the form: progress, error summary, introduction, and the fields with their button. */
export function formPage(view: FlowView, page: FormPageName, parts: FormParts): Page {
  const { text } = view.texts
  const { title, intro, hasInput } = formPages[page]
  const { fields, footnote, formErrors } = parts
  const { validationErrors, isChangedMeanwhile = false } = formErrors
  const index = FORM_PAGES.indexOf(page)
  const before = FORM_PAGES[index - 1]
  const submit = page === 'summary' ? text('onboarding.summary.confirm') : text('onboarding.form.saveAndContinue')
  return flowPage(view, {
    status: isChangedMeanwhile ? CONFLICT : validationErrors.length > 0 ? INVALID : 200,
    title: text(title),
    switchForm: hasInput ? SECTION_FORM : undefined,
    body: html`
!${errorSummary(text('onboarding.form.errorSummary'), validationErrors)}
!${isChangedMeanwhile ? html`<div class="notice" role="alert"><p>${text('onboarding.form.changedMeanwhile')}</p></div>` : ''}
<p class="step">${text('onboarding.form.step', { step: index + 1, steps: FORM_PAGES.length })}</p>
<p>${parts.intro ?? text(intro)}</p>
!${formTo(
      view,
      page,
      html`<input type="hidden" name="revision" value="${String(view.onboarding.revision)}">
!${hasInput ? enterButton(submit) : ''}
!${fields}
<div class="actions"><button type="submit">${submit}</button></div>
!${footnote === undefined ? '' : html`<p class="quiet">${footnote}</p>`}`,
      SECTION_FORM,
    )}
!${navigationLinks(view, before)}`,
  })
}

/** Links to go back, continue later or cancel. */
export function navigationLinks({ path, texts: { text } }: FlowView, before?: string): string {
  const back = before === undefined ? '' : html`<a href="${path}/${before}">${text('onboarding.form.back')}</a>`
  return html`<p class="away">!${back}<a href="${path}/later">${text('onboarding.form.continueLater')}</a><a href="${path}/stop">${text('onboarding.form.cancel')}</a></p>`
}

/** The company's number with its country, as it is printed there: `NO 923 609 016`. */
export function shownNumber({
  countryCode,
  organisationNumber,
}: Pick<Onboarding, 'countryCode' | 'organisationNumber'>): string {
  return `${countryCode} ${formatOrganisationNumber(countryCode, organisationNumber).replaceAll(' ', '\u00a0')}`
}

/** The row of the company's number, with the name that it has in its country. */
export function numberLine({ onboarding, texts: { text } }: FlowView): string {
  const country = isServedCountry(onboarding.countryCode) ? onboarding.countryCode : 'elsewhere'
  return detailLine(text(`onboarding.number.${country}`), shownNumber(onboarding))
}

/** One row of a definition list. */
export function detailLine(label: string, value: string): string {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`
}
