/** Tests the decision on a completely signed onboarding, rule by rule, and that no risk is ever accepted. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RegisteredCompany } from '../../registries/registered-company.ts'
import { registryRejectionReason } from '../open-onboarding.ts'
import type { BeneficialOwner, SectionAnswers } from '../store/onboarding-answers.ts'
import type { Signer } from '../store/onboarding-signer.ts'
import { evaluateOnboarding } from './evaluate-onboarding.ts'

const KARI = { name: { given: 'Kari', family: 'Nordmann' }, birthDate: '1950-01-01' }
const OLA = { name: { given: 'Ola', family: 'Hansen' }, birthDate: '1950-02-02' }

const company: RegisteredCompany = {
  countryCode: 'NO',
  organisationNumber: '987654406',
  name: 'Fjordgløtt Bakeri AS',
  organisationForm: 'AS',
  address: null,
  isActive: true,
  isBankrupt: false,
  isInLiquidation: false,
  isInReconstruction: false,
  roles: [
    { role: 'chair', person: KARI },
    { role: 'board-member', person: OLA },
  ],
  signingRights: [{ kind: 'roles', needs: [{ roles: ['chair'], count: 1 }] }],
  beneficialOwners: null,
  registeredAt: null,
  source: 'sample',
  readAt: '2026-11-23T09:00:00Z',
}
const owner: BeneficialOwner = {
  name: 'Kari Nordmann',
  birthDate: '1950-01-01',
  nationality: 'NO',
  country: 'NO',
  ownershipPercent: 100,
  isPoliticallyExposed: false,
}
const sections = (owners: BeneficialOwner[] = [owner]): SectionAnswers => ({
  CompanyDetails: {
    name: company.name,
    address: { streetName: 'Bryggen 12', postCode: '5003', city: 'Bergen', country: 'NO' },
    email: 'post@example.com',
    phone: '+47 55 00 11 22',
  },
  BeneficialOwners: { nobodyOwnsMoreThanAQuarter: owners.length === 0, owners },
  Signers: { signers: [] },
  Terms: { version: '2026-11', at: '2026-11-23T09:00:00Z' },
})
const signedBy = (person: typeof KARI): Signer => ({
  partnerId: '',
  id: '',
  onboardingId: '',
  position: 0,
  name: `${person.name.given} ${person.name.family}`,
  birthDate: person.birthDate,
  role: null,
  status: 'Signed',
  linkHash: null,
  linkRevokedAt: null,
  identified: { ...person, nationalId: null, country: 'NO', levelOfAssurance: 'high' },
  signedAt: null,
})
const known = (
  isPoliticallyExposed: boolean,
  person = KARI,
  lives: { country?: string; nationality?: string } = {},
) => ({
  beneficialOwners: [
    { person, nationality: 'NO', country: 'NO', ownershipPercent: 100, isPoliticallyExposed, ...lives },
  ],
})

function decisionOn(registered: RegisteredCompany | null, answered: SectionAnswers, signers: readonly Signer[]) {
  const rejectionReason = registered === null ? undefined : registryRejectionReason(registered)
  return evaluateOnboarding({ registered, rejectionReason }, answered, signers)
}

describe('an onboarding with all signatures', () => {
  test('is Accepted without risks, whether or not the registry has owners', () => {
    const accepted = { status: 'Accepted', statusReason: null }
    expect(decisionOn(company, sections(), [signedBy(KARI)])).toEqual(accepted)
    expect(decisionOn({ ...company, ...known(false) }, sections(), [signedBy(KARI)])).toEqual(accepted)
    expect(decisionOn(company, sections([]), [signedBy(KARI)])).toEqual(accepted)
  })

  test.each<[string, Partial<RegisteredCompany>, BeneficialOwner[], string | null]>([
    [
      'a politically exposed owner by the company’s answer',
      {},
      [{ ...owner, isPoliticallyExposed: true }],
      'RiskEvaluation',
    ],
    ['a politically exposed owner by the registry', known(true), [owner], 'RiskEvaluation'],
    ['an owner who lives in another country', {}, [{ ...owner, country: 'US' }], 'RiskEvaluation'],
    ['an owner of another nationality', {}, [{ ...owner, nationality: 'RU' }], 'RiskEvaluation'],
    [
      'an owner of the registry who lives in another country',
      known(false, KARI, { country: 'US' }),
      [owner],
      'RiskEvaluation',
    ],
    [
      'an owner of the registry of another nationality',
      known(false, KARI, { nationality: 'RU' }),
      [owner],
      'RiskEvaluation',
    ],
    ['owners that differ from the registry', known(false, OLA), [owner], 'RiskEvaluation'],
    ['an owner of the registry who was not entered', known(false), [], 'RiskEvaluation'],
    ['reconstruction', { isInReconstruction: true }, [owner], 'RiskEvaluation'],
    ['a branch of a foreign company', { organisationForm: 'NUF' }, [owner], 'MissingDocuments'],
    ['an unknown form', { organisationForm: 'XYZ' }, [owner], 'MissingDocuments'],
    ['unrecognised signing rights', { signingRights: null }, [owner], null],
    ['signing rights that are not met', { signingRights: [] }, [owner], null],
  ])('%s needs a manual review', (_what, change, owners, statusReason) => {
    const decision = decisionOn({ ...company, ...change }, sections(owners), [signedBy(KARI)])
    expect(decision).toMatchObject({ status: 'ManualHandling', statusReason, why: expect.stringMatching(/\.$/) })
    expect(JSON.stringify(decision)).not.toMatch(/Kari|Ola|Nordmann|Hansen/)
  })

  test('without a registry, or signed by a person without signing rights, needs a manual review too', () => {
    expect(decisionOn(null, sections(), [signedBy(KARI)])).toMatchObject({
      status: 'ManualHandling',
      statusReason: null,
    })
    expect(decisionOn(company, sections(), [signedBy(OLA)])).toMatchObject({ status: 'ManualHandling' })
    const revoked = { ...signedBy(KARI), status: 'Revoked' as const }
    expect(decisionOn(company, sections(), [revoked, signedBy(OLA)])).toMatchObject({
      status: 'ManualHandling',
    })
  })

  test.each<[string, Partial<RegisteredCompany>, string]>([
    ['struck off', { isActive: false }, 'CompanyNotFound'],
    ['bankrupt', { isBankrupt: true }, 'RiskEvaluation'],
    ['being wound up', { isInLiquidation: true }, 'RiskEvaluation'],
    ['a housing cooperative', { organisationForm: 'BRL' }, 'UnsupportedCompanyType'],
  ])('of a company that is %s is Rejected', (_what, change, statusReason) => {
    const decision = decisionOn({ ...company, ...change }, sections(), [signedBy(KARI)])
    expect(decision).toEqual({ status: 'Rejected', statusReason })
  })

  test('is never Accepted with any risk', () => {
    const doubts = {
      isActive: fc.boolean(),
      isBankrupt: fc.boolean(),
      isInReconstruction: fc.boolean(),
      isExposed: fc.boolean(),
      country: fc.constantFrom('NO', 'SE', 'US'),
      organisationForm: fc.constantFrom('AS', 'NUF', 'BRL'),
      mayAnybodySign: fc.boolean(),
      signer: fc.constantFrom(KARI, OLA),
    }
    fc.assert(
      fc.property(fc.record(doubts), ({ isExposed, country, mayAnybodySign, signer, ...registered }) => {
        const signingRights = mayAnybodySign ? company.signingRights : null
        const written = sections([{ ...owner, isPoliticallyExposed: isExposed, country }])
        const { status } = decisionOn({ ...company, ...registered, signingRights }, written, [signedBy(signer)])
        const isValid = registered.isActive && !registered.isBankrupt && registered.organisationForm === 'AS'
        const isCertain =
          !registered.isInReconstruction && !isExposed && country !== 'US' && mayAnybodySign && signer === KARI
        expect(status === 'Accepted').toBe(isValid && isCertain)
      }),
    )
  })
})
