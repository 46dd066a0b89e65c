/** Serialises all answers of an onboarding to the document that is signed, and hashes it. */
import { hashToken } from '../../platform/ids.ts'
import type { OnboardingAnswers, SectionAnswers } from '../answers/onboarding-answers.ts'
import type { Onboarding } from '../onboarding.ts'

/** The document; the same answers and salt give the same text, independent of the order of stored keys. */
export function signedDocument(
  { countryCode, organisationNumber }: Pick<Onboarding, 'countryCode' | 'organisationNumber'>,
  { registered, documentSalt }: Pick<OnboardingAnswers, 'registered' | 'documentSalt'>,
  sections: SectionAnswers,
): string {
  const { CompanyDetails, BeneficialOwners, Signers, Terms } = sections
  return canonical({
    company: { countryCode, organisationNumber, ...CompanyDetails },
    beneficialOwners: BeneficialOwners,
    signers: Signers.signers,
    terms: Terms,
    registry: registered === null ? null : { source: registered.source, readAt: registered.readAt },
    salt: documentSalt,
  })
}

/** SHA-256 of the text in base64url, which identity providers sign; birth dates cannot be guessed from it due to the salt. */
export function documentHash(document: string): string {
  return hashToken(document)
}

/** JSON with sorted object keys (as in RFC 8785). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value ?? null)
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const written = members.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${written.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
