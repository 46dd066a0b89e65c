/** Implements the sandbox's registry: sample companies from a file, one for each outcome of an onboarding. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import type { Clock } from '../platform/clock.ts'
import { type CompanyRegistry, RegistryUnavailable } from './company-registry.ts'
import type { RegisteredCompany } from './registered-company.ts'
import { type RegisteredPerson, ROLE_KINDS } from './registered-person.ts'
import type { SigningRule } from './signing-rights.ts'

const Code = Type.String({ pattern: '^[A-Z]{2}$' })
const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })
/** An id in `people`. */
const PersonId = Type.String({ pattern: '^[a-z]+$' })
const Role = Type.Enum([...ROLE_KINDS])
const Key = { countryCode: Code, organisationNumber: Type.String({ minLength: 1 }) }
const Person = Type.Object({ id: PersonId, given: Type.String(), family: Type.String(), birthDate: Day })

const Rule = Type.Union([
  Type.Object({
    kind: Type.Literal('roles'),
    needs: Type.Array(
      Type.Object({
        roles: Type.Array(Role, { minItems: 1 }),
        count: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('all')]),
      }),
      { minItems: 1 },
    ),
  }),
  Type.Object({ kind: Type.Literal('persons'), persons: Type.Array(PersonId, { minItems: 1 }) }),
])

const Company = Type.Object({
  ...Key,
  name: Type.String({ minLength: 1 }),
  organisationForm: Type.String({ minLength: 1 }),
  registeredAt: Type.Union([Day, Type.Null()]),
  address: Type.Union([
    Type.Object({ street: Type.String(), postCode: Type.String(), city: Type.String(), countryCode: Code }),
    Type.Null(),
  ]),
  isActive: Type.Boolean(),
  isBankrupt: Type.Boolean(),
  isInLiquidation: Type.Boolean(),
  roles: Type.Array(Type.Object({ role: Role, person: PersonId })),
  signingRights: Type.Union([Type.Array(Rule), Type.Null()]),
  beneficialOwners: Type.Union([
    Type.Array(
      Type.Object({
        person: PersonId,
        nationality: Code,
        country: Code,
        ownershipPercent: Type.Union([Type.Number(), Type.Null()]),
        isPoliticallyExposed: Type.Union([Type.Boolean(), Type.Null()]),
      }),
    ),
    Type.Null(),
  ]),
})

const Absent = Type.Object({ ...Key, fault: Type.Union([Type.Literal('unavailable'), Type.Null()]) })
const Sample = Type.Object({
  people: Type.Array(Person),
  companies: Type.Array(Company),
  absent: Type.Array(Absent),
})

const validator = Compile(Sample)

/** Opens the registry. Throws if the file is invalid. */
export function openSampleRegistry(clock: Pick<Clock, 'real'>, file: unknown = sample): CompanyRegistry {
  if (!validator.Check(file)) {
    const [first] = validator.Errors(file)
    throw new Error(`The sample companies file is invalid: ${first?.instancePath} ${first?.message}`)
  }
  const people = new Map(
    file.people.map(({ id, given, family, birthDate }) => [id, { name: { given, family }, birthDate }]),
  )
  const read = file.companies.map((company) => companyOf(company, people))
  return {
    find: async (countryCode, organisationNumber) => {
      const isRequested = (one: Pick<RegisteredCompany, 'countryCode' | 'organisationNumber'>) =>
        one.countryCode === countryCode && one.organisationNumber === organisationNumber
      if (file.absent.some((one) => one.fault === 'unavailable' && isRequested(one))) {
        throw new RegistryUnavailable('The sample companies file marks this number as unavailable')
      }
      const company = read.find(isRequested)
      return company === undefined ? null : { ...company, readAt: clock.real().toString() }
    },
  }
}

function companyOf(company: Static<typeof Company>, people: ReadonlyMap<string, RegisteredPerson>): RegisteredCompany {
  const { roles, signingRights, beneficialOwners, ...same } = company
  const person = (id: string): RegisteredPerson => {
    const found = people.get(id)
    if (found === undefined) {
      throw new Error(`The sample companies file has no person with the id ${id}`)
    }
    return found
  }
  return {
    ...same,
    isInReconstruction: false,
    roles: roles.map(({ role, person: id }) => ({ role, person: person(id) })),
    signingRights: signingRights?.map((rule) => ruleOf(rule, person)) ?? null,
    beneficialOwners: beneficialOwners?.map((owner) => ({ ...owner, person: person(owner.person) })) ?? null,
    source: 'sample',
    readAt: '',
  }
}

function ruleOf(rule: Static<typeof Rule>, person: (id: string) => RegisteredPerson): SigningRule {
  return rule.kind === 'persons' ? { kind: 'persons', persons: rule.persons.map(person) } : rule
}
