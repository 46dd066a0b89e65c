/** Evaluates a fully signed onboarding: accept, reject or manual handling. */

import { organisationFormSupport } from '../../registries/organisation-forms.ts'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import { isSamePerson } from '../../registries/registered-person.ts'
import { satisfiesSigningRights, signingCombinations } from '../../registries/signing-rights.ts'
import type { RegistryCheck } from '../open-onboarding.ts'
import type { OnboardingReason } from '../store/onboarding.ts'
import { type BeneficialOwners, type SectionAnswers, toRegisteredPerson } from '../store/onboarding-answers.ts'
import { currentSigners, type Signer } from '../store/onboarding-signer.ts'

/** The result of the evaluation. */
export type OnboardingDecision =
  | { readonly status: 'Accepted'; readonly statusReason: null }
  | { readonly status: 'Rejected'; readonly statusReason: OnboardingReason }
  | {
      readonly status: 'ManualHandling'
      readonly statusReason: 'RiskEvaluation' | 'MissingDocuments' | null
      /** Explanation for operators; holds no personal data. */
      readonly why: string
    }

/** The European Economic Area and Switzerland; owners from elsewhere need manual handling. */
const EEA_AND_SWITZERLAND = new Set(
  'AT BE BG CH CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
)

/** Applies the rules in order: reasons to reject, reasons for manual handling, otherwise accept. */
export function evaluateOnboarding(
  { registered, rejectionReason }: RegistryCheck,
  sections: SectionAnswers,
  signers: readonly Signer[],
): OnboardingDecision {
  if (rejectionReason !== undefined) {
    return { status: 'Rejected', statusReason: rejectionReason }
  }
  const risk = companyRisk(registered) ?? ownerRisk(registered, sections.BeneficialOwners)
  if (risk !== undefined) {
    return { status: 'ManualHandling', statusReason: 'RiskEvaluation', why: risk }
  }
  if (registered === null) {
    return { status: 'ManualHandling', statusReason: null, why: 'No company registry is configured for this country.' }
  }
  const form = organisationFormSupport(registered.countryCode, registered.organisationForm)
  if (form.support === 'documents') {
    return { status: 'ManualHandling', statusReason: 'MissingDocuments', why: form.reason }
  }
  const combinations = signingCombinations(registered.signingRights, registered.roles)
  if (combinations.length === 0) {
    return {
      status: 'ManualHandling',
      statusReason: null,
      why: 'The registry does not state who may sign for the company.',
    }
  }
  const signedBy = currentSigners(signers).flatMap(({ identified }) => (identified === null ? [] : [identified]))
  return satisfiesSigningRights(combinations, signedBy)
    ? { status: 'Accepted', statusReason: null }
    : { status: 'ManualHandling', statusReason: null, why: 'The signers may not sign for the company by the registry.' }
}

/** Why the company itself needs manual handling; undefined when it does not. */
function companyRisk(registered: RegisteredCompany | null): string | undefined {
  return registered?.isInReconstruction === true
    ? 'The company negotiates with its creditors, under the supervision of a court.'
    : undefined
}

/** Why the owners need manual handling; undefined when they do not. */
function ownerRisk(registered: RegisteredCompany | null, { owners }: BeneficialOwners): string | undefined {
  if (owners.some(({ isPoliticallyExposed }) => isPoliticallyExposed)) {
    return 'The company states that an owner is politically exposed.'
  }
  const known = registered?.beneficialOwners ?? null
  // The company may have entered other countries than the registry has.
  const countries = [...owners, ...(known ?? [])].flatMap(({ country, nationality }) => [country, nationality])
  if (!countries.every((country) => EEA_AND_SWITZERLAND.has(country))) {
    return 'An owner lives, or has a nationality, outside the European Economic Area.'
  }
  if (known?.some(({ isPoliticallyExposed }) => isPoliticallyExposed === true)) {
    return 'The registry states that an owner is politically exposed.'
  }
  const people = owners.map(toRegisteredPerson)
  const isSame =
    known === null ||
    (known.length === people.length && known.every(({ person }) => people.some((typed) => isSamePerson(person, typed))))
  return isSame ? undefined : 'The stated owners differ from those in the registry.'
}
