/** Judges an onboarding that everybody has signed: accepted, refused, or for a person to look at. */

import { isSamePerson } from '../../registries/is-same-person.ts'
import { organisationFormSupport } from '../../registries/organisation-forms.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import { areEnough, signingCombinations } from '../../registries/signing-rights.ts'
import { asRegistered, type BeneficialOwners, type SectionAnswers } from '../answers/onboarding-answers.ts'
import type { OnboardingReason } from '../onboarding.ts'
import { reasonAgainst } from '../open-onboarding.ts'
import { currentSigners, type Signer } from '../signatures/onboarding-signer.ts'

/** What an onboarding comes to. */
export type Verdict =
  | { readonly status: 'Accepted'; readonly statusReason: null }
  | { readonly status: 'Rejected'; readonly statusReason: OnboardingReason }
  | {
      readonly status: 'ManualHandling'
      readonly statusReason: 'RiskEvaluation' | 'MissingDocuments' | null
      /** Why, for operators: no names. */
      readonly why: string
    }

/** The European Economic Area and Switzerland: owners elsewhere are looked at by people. */
const NEAR = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)

/** The rules in their order: what rejects, what needs a person, and otherwise yes. */
export function verdictOn(
  registered: RegisteredCompany | null,
  sections: SectionAnswers,
  signers: readonly Signer[],
): Verdict {
  const against = registered === null ? undefined : reasonAgainst(registered)
  if (against !== undefined) {
    return { status: 'Rejected', statusReason: against }
  }
  const risk = riskOf(registered, sections.BeneficialOwners)
  if (risk !== undefined) {
    return { status: 'ManualHandling', statusReason: 'RiskEvaluation', why: risk }
  }
  if (registered === null) {
    return { status: 'ManualHandling', statusReason: null, why: 'No registry tells of companies of this country here.' }
  }
  const form = organisationFormSupport(registered.countryCode, registered.organisationForm)
  if (form.support === 'documents') {
    return { status: 'ManualHandling', statusReason: 'MissingDocuments', why: form.reason }
  }
  const combinations = signingCombinations(registered.signingRights, registered.roles)
  if (combinations.length === 0) {
    return { status: 'ManualHandling', statusReason: null, why: 'The registry does not tell who signs for it.' }
  }
  const signedBy = currentSigners(signers).flatMap(({ identified }) => (identified === null ? [] : [identified]))
  return areEnough(combinations, signedBy)
    ? { status: 'Accepted', statusReason: null }
    : { status: 'ManualHandling', statusReason: null, why: 'Those who signed are not enough by the registry.' }
}

/** What about its owners a person has to look at; undefined where nothing is. */
function riskOf(registered: RegisteredCompany | null, { owners }: BeneficialOwners): string | undefined {
  if (owners.some(({ isPoliticallyExposed }) => isPoliticallyExposed)) {
    return 'An owner is politically exposed by the company’s own word.'
  }
  if (owners.some(({ country, nationality }) => !NEAR.has(country) || !NEAR.has(nationality))) {
    return 'An owner lives outside the European Economic Area, or is of a nationality outside it.'
  }
  const known = registered?.beneficialOwners ?? null
  if (known?.some(({ isPoliticallyExposed }) => isPoliticallyExposed === true)) {
    return 'An owner is politically exposed by the registry.'
  }
  const people = owners.map(asRegistered)
  const isSame =
    known === null ||
    (known.length === people.length &&
      known.every(({ person }) => people.some((written) => isSamePerson(person, written))))
  return isSame ? undefined : 'The owners that were written are not those of the registry.'
}
