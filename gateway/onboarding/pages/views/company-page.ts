/** Renders the company details form: registry data read-only, contact details as fields. */
import { html } from 'ghtml'
import { withPlainSeparators } from '../../../platform/copied-text.ts'
import { selectField, type TextField, textField } from '../../../platform/http/pages/form-markup.ts'
import type { Page } from '../../../platform/http/pages/page.ts'
import { CompanyDetails, type OnboardingAnswers } from '../../store/onboarding-answers.ts'
import { detailLine, type FlowView, type FormErrors, formPage, NO_FORM_ERRORS, numberLine } from '../flow-view.ts'
import { countryChoices, latestInput, parseSectionForm } from './form-values.ts'

export function readCompanyForm(body: unknown): CompanyDetails {
  const { text } = parseSectionForm(body)
  return {
    name: text('name'),
    address: {
      streetName: text('address.streetName'),
      postCode: text('address.postCode'),
      city: text('address.city'),
      country: text('address.country'),
    },
    email: text('email'),
    phone: phoneOf(text('phone')),
  }
}

/** Parses `(+47) 22-33 44 55` and `22–33.44.55`, and leaves only spaces; other input is returned unchanged. */
function phoneOf(text: string): string {
  return /\p{L}/u.test(text)
    ? text
    : withPlainSeparators(text.replaceAll(/[().]/g, ' ')).replaceAll(/[ -]+/g, ' ').trim()
}

/** The field values: the latest input, or registry data. */
export function companyShown({ registered, sections, drafts }: OnboardingAnswers): CompanyDetails {
  const typed = latestInput(CompanyDetails, drafts.CompanyDetails, sections.CompanyDetails)
  const { street = '', postCode = '', city = '', countryCode = '' } = registered?.address ?? {}
  return (
    typed ?? {
      name: registered?.name ?? '',
      address: { streetName: street, postCode, city, country: countryCode },
      email: '',
      phone: '',
    }
  )
}

export function companyPage(view: FlowView, answers: OnboardingAnswers, formErrors: FormErrors = NO_FORM_ERRORS): Page {
  const { text } = view.texts
  const { validationErrors } = formErrors
  const { registered } = answers
  const shown = companyShown(answers)
  const field = (name: string, label: string, value: string, more: Partial<TextField> = {}) =>
    textField({ name, label, value, validationErrors, ...more })
  const { onboarding } = view
  const identity =
    registered === null
      ? html`<p>${text('onboarding.company.notRegistered')}</p>!${field('name', text('onboarding.company.name'), shown.name, { autocomplete: 'organization' })}`
      : html`<dl>!${detailLine(text('onboarding.company.name'), registered.name)}!${numberLine(view)}</dl>
<p class="quiet">${text('onboarding.company.fromRegistry')}</p>`
  const { address } = shown
  return formPage(view, 'company', {
    formErrors,
    fields: html`
!${identity}
!${field('address.streetName', text('onboarding.company.street'), address.streetName, { autocomplete: 'street-address' })}
<div class="pair">
!${field('address.postCode', text('onboarding.company.postCode'), address.postCode, { autocomplete: 'postal-code', isShort: true })}
!${field('address.city', text('onboarding.company.city'), address.city, { autocomplete: 'address-level2' })}
</div>
!${selectField({ name: 'address.country', label: text('onboarding.company.country'), value: address.country || onboarding.countryCode, choices: countryChoices(view.texts.language), validationErrors })}
!${field('email', text('onboarding.company.email'), shown.email, { type: 'email', autocomplete: 'email', hint: text('onboarding.company.emailHint') })}
!${field('phone', text('onboarding.company.phone'), shown.phone, { type: 'tel', autocomplete: 'tel', hint: text('onboarding.company.phoneHint') })}`,
  })
}
