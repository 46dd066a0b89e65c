/** Decides whether companies of an organisation form are supported: at once, after a check of documents, or not. */
import type { ExcludedForm, FormsByKind, ReviewedForm } from '../countries/country.ts'
import { countryRules } from '../countries/served-countries.ts'

/** Whether a company of a form can be onboarded, and the reason if not, or not at once. */
export type FormSupport =
  | { readonly support: 'supported' }
  /** Documents are checked manually first. */
  | { readonly support: 'documents'; readonly reason: string }
  | { readonly support: 'unsupported'; readonly reason: string }

const reviewReasons: Readonly<Record<ReviewedForm, string>> = {
  branch: 'It is a branch of a foreign company, for which there is no registry here.',
  foundation: 'It is a foundation: its statutes determine who acts for it.',
  public: 'It is a public body: internal delegation determines who may act for it.',
  financial: 'It is a supervised financial institution.',
  unknown: 'Its organisation form is unknown.',
}
const exclusionReasons: Readonly<Record<ExcludedForm, string>> = {
  housing: 'It is a housing cooperative or company, owned by its residents.',
  association: 'It is an association: it has members, not owners.',
  estate: 'It is the estate of a deceased or bankrupt person: a court determines who acts for it.',
  part: 'It is a part of an organisation, or a registration of several persons: not a legal person.',
}

/** Whether a form is supported; an unknown form is checked manually. */
export function organisationFormSupport(countryCode: string, organisationForm: string): FormSupport {
  const forms = countryRules(countryCode)?.organisationForms
  if (forms?.supported.includes(organisationForm) === true) {
    return { support: 'supported' }
  }
  const excluded = kindOf(forms?.excluded, organisationForm)
  return excluded === undefined
    ? { support: 'documents', reason: reviewReasons[kindOf(forms?.reviewed, organisationForm) ?? 'unknown'] }
    : { support: 'unsupported', reason: exclusionReasons[excluded] }
}

function kindOf<Kind extends string>(forms: FormsByKind<Kind> | undefined, form: string): Kind | undefined {
  return forms?.find(({ codes }) => codes.includes(form))?.kind
}
