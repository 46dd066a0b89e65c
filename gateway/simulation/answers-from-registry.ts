/** Writes in an onboarding what the company's people would: whatever the registry knows, and made-up ways to reach them. */
import type { SectionTyped } from '../onboarding/answers/save-section.ts'
import type { RegisteredCompany } from '../registries/registered-company.ts'
import type { RegisteredPerson } from '../registries/registered-person.ts'
import { signingCombinations } from '../registries/signing-rights.ts'

/** A section without the revision of the page that it was typed on. */
export type SectionWritten = WithoutRevision<SectionTyped>
type WithoutRevision<Typed> = Typed extends unknown ? Omit<Typed, 'revision'> : never

/** Whoever owns more is written down; the rule of the form. */
const OWNERSHIP_PERCENT_ABOVE = 25
/** Signs where no registry says who may; somebody whom the sandbox's identity provider knows. */
const SOMEBODY = { name: 'Sigrun Fjeldstad', birthDate: '1971-05-14', role: null }

/** Every section in the order of the flow; the fewest people sign that may. */
export function writtenAsRegistered(registered: RegisteredCompany | null): readonly SectionWritten[] {
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
    name: registered?.name ?? 'A company that no registry knows',
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
      name: fullName(person),
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
  return fewest?.map((person) => ({ name: fullName(person), birthDate: person.birthDate, role: null })) ?? [SOMEBODY]
}

function fullName({ name }: RegisteredPerson): string {
  return `${name.given} ${name.family}`
}
