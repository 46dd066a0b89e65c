/** Fills in an onboarding from the registry's data, with generated contact details. */
import type { SectionInput } from '../onboarding/answers/save-section.ts'
import type { RegisteredCompany } from '../registries/registered-company.ts'
import { fullName } from '../registries/registered-person.ts'
import { signingCombinations } from '../registries/signing-rights.ts'

/** A section without the revision of its page. */
export type SectionAnswersInput = WithoutRevision<SectionInput>
type WithoutRevision<Typed> = Typed extends unknown ? Omit<Typed, 'revision'> : never

/** Owners above this share are declared, as in the form. */
const OWNERSHIP_PERCENT_ABOVE = 25
/** The signer when no registry says who may sign; a user of the sandbox's identity provider. */
const FALLBACK_SIGNER = { name: 'Sigrun Fjeldstad', birthDate: '1971-05-14', role: null }

/** Every section in the order of the flow; with the minimum number of signers. */
export function answersFromRegistry(registered: RegisteredCompany | null): readonly SectionAnswersInput[] {
  return [
    { section: 'CompanyDetails', typed: detailsOf(registered) },
    { section: 'BeneficialOwners', typed: ownersOf(registered) },
    { section: 'Signers', typed: { signers: signersOf(registered) } },
    { section: 'Terms', typed: { accepted: true } },
  ]
}

function detailsOf(registered: RegisteredCompany | null) {
  const { street, postCode, city, countryCode } = registered?.address ?? {
    street: 'Storgata 1',
    postCode: '0155',
    city: 'Oslo',
    countryCode: 'NO',
  }
  return {
    name: registered?.name ?? 'A company without a registry entry',
    address: { streetName: street, postCode, city, country: countryCode },
    email: 'post@example.com',
    phone: '+47 22 33 44 55',
  }
}

function ownersOf(registered: RegisteredCompany | null) {
  const known = registered?.beneficialOwners ?? []
  const owners = known.filter(({ ownershipPercent }) => (ownershipPercent ?? 0) > OWNERSHIP_PERCENT_ABOVE)
  return {
    nobodyOwnsMoreThanAQuarter: owners.length === 0,
    owners: owners.map(({ person, nationality, country, ownershipPercent, isPoliticallyExposed }) => ({
      name: fullName(person.name),
      birthDate: person.birthDate,
      nationality,
      country,
      ownershipPercent: ownershipPercent ?? '',
      isPoliticallyExposed: isPoliticallyExposed === true,
    })),
  }
}

function signersOf(registered: RegisteredCompany | null) {
  const [fewest] = registered === null ? [] : signingCombinations(registered.signingRights, registered.roles)
  return (
    fewest?.map((person) => ({ name: fullName(person.name), birthDate: person.birthDate, role: null })) ?? [
      FALLBACK_SIGNER,
    ]
  )
}
