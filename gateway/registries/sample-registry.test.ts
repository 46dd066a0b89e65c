/** Tests the fictitious companies of the sandbox: valid numbers, persons who can sign, an outcome of each kind. */
import { describe, expect, test } from 'vitest'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import directory from '../../data/sandbox-directory.json' with { type: 'json' }
import { checkOrganisationNumber } from '../countries/served-countries.ts'
import { movableClock } from '../platform/clock.ts'
import { RegistryUnavailable } from './company-registry.ts'
import { organisationFormSupport } from './organisation-forms.ts'
import { openSampleRegistry } from './sample-registry.ts'
import { signingCombinations } from './signing-rights.ts'

const clock = movableClock()
const registry = openSampleRegistry(clock)
const listed = [...sample.companies, ...sample.absent]
const numberOf = ({ countryCode, organisationNumber }: (typeof listed)[number]) =>
  `${countryCode} ${organisationNumber}`

async function found(name: string) {
  const company = sample.companies.find((one) => one.name === name)
  const answer = company && (await registry.find(company.countryCode, company.organisationNumber))
  if (!answer) {
    throw new Error(`The sample has no ${name}`)
  }
  return answer
}

const combinationsOf = async (name: string) => {
  const { signingRights, roles } = await found(name)
  return signingCombinations(signingRights, roles).map((people) => people.map((person) => person.name.given).join('+'))
}

describe('every company of the sample', () => {
  test('has a valid number of its own, as it is stored', () => {
    for (const { countryCode, organisationNumber } of listed) {
      const checked = checkOrganisationNumber(countryCode, organisationNumber)
      expect(checked).toEqual({ ok: true, organisationNumber })
    }
    expect(new Set(listed.map(numberOf)).size).toBe(listed.length)
  })

  test('can be signed for, unless its script needs a manual review', async () => {
    for (const { countryCode, organisationNumber, script } of sample.companies) {
      const company = await registry.find(countryCode, organisationNumber)
      const combinations = signingCombinations(company?.signingRights ?? null, company?.roles ?? [])
      if (script.status === 'Accepted') {
        expect(combinations, organisationNumber).not.toEqual([])
      }
    }
  })

  test('has the outcome of its registration', () => {
    for (const { countryCode, organisationForm, name, script, ...company } of sample.companies) {
      const { support } = organisationFormSupport(countryCode, organisationForm)
      const isTroubled = company.isBankrupt || company.isInLiquidation
      const owners = company.beneficialOwners ?? []
      const isRisky = owners.some((owner) => owner.isPoliticallyExposed || owner.country === 'US')
      const expected = !company.isActive
        ? ['Rejected', 'CompanyNotFound']
        : support === 'unsupported'
          ? ['Rejected', 'UnsupportedCompanyType']
          : isTroubled
            ? ['Rejected', 'RiskEvaluation']
            : isRisky
              ? ['ManualHandling', 'RiskEvaluation']
              : support === 'documents'
                ? ['ManualHandling', 'MissingDocuments']
                : [company.signingRights === null ? 'ManualHandling' : 'Accepted', null]
      expect([name, script.status, script.statusReason]).toEqual([name, ...expected])
    }
  })
})

test('every outcome has a company', () => {
  const outcomes = listed.map(({ script }) => `${script.status} ${script.statusReason}`)
  expect([...new Set(outcomes)].sort()).toEqual([
    'Accepted null',
    'Created null',
    'ManualHandling MissingDocuments',
    'ManualHandling RiskEvaluation',
    'ManualHandling null',
    'Rejected CompanyNotFound',
    'Rejected RiskEvaluation',
    'Rejected UnsupportedCompanyType',
  ])
})

test('the demo partner’s companies are registered with the names that they have there', async () => {
  for (const { countryCode, organisationNumber, name } of directory.companies) {
    expect(await registry.find(countryCode, organisationNumber)).toMatchObject({ name, isActive: true })
  }
})

test('its persons do not exist: their ids have 80 added to the month, or a Finnish number from 900', () => {
  for (const { country, nationalId, birthDate } of sample.people) {
    const [year = '', month = '', day = ''] = birthDate.split('-')
    const added = String(Number(month) + 80)
    const begins = {
      NO: `${day}${added}${year.slice(2)}`,
      SE: `${year}${added}${day}`,
      DK: `${day}${added}${year.slice(2)}`,
      FI: `${day}${month}${year.slice(2)}-9`,
    }
    expect(nationalId.startsWith(country in begins ? begins[country as keyof typeof begins] : 'X')).toBe(true)
  }
  const ids = sample.people.map(({ nationalId }) => nationalId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('there is one who signs alone, two and three who sign jointly, in any of their combinations', async () => {
  expect(await combinationsOf('Fjordgløtt Bakeri AS')).toEqual(['Sigrun'])
  expect(await combinationsOf('Havblikk Hotell AS')).toEqual([
    'Turid+Bjørnar',
    'Håkon Emil+Turid',
    'Håkon Emil+Bjørnar',
  ])
  const three = await combinationsOf('Breiskog Entreprenør ASA')
  expect([three.length, three.every((people) => people.split('+').length === 3)]).toEqual([10, true])
  expect(await combinationsOf('Tvillingene Bakke AS')).toEqual(['Hilde+Jan'])
  expect(await combinationsOf('Uklare Linjer AS')).toEqual([])
})

test('responses have a source and the time at which they were read', async () => {
  clock.setOffset(3_600_000)
  const { source, readAt } = await found('Nordlys Handel AS')
  expect(source).toBe('sample')
  expect(Temporal.Instant.compare(readAt, clock.real())).toBeLessThanOrEqual(0)
  expect(Temporal.Instant.from(readAt).until(clock.real()).total('seconds')).toBeLessThan(60)
})

test('a number without a company is unknown, one of another country too, and one gets no response', async () => {
  expect(await registry.find('NO', '987654589')).toBeNull()
  expect(await registry.find('SE', '987654325')).toBeNull()
  await expect(registry.find('NO', '987654597')).rejects.toThrow(RegistryUnavailable)
})

test('an invalid file is reported with the position', () => {
  const [first, ...others] = sample.companies
  const wrong = { ...sample, companies: [{ ...first, roles: [{ role: 'king', person: 'kari' }] }, ...others] }
  expect(() => openSampleRegistry(clock, wrong)).toThrow(/\/companies\/0\/roles\/0\/role/)
  const nobody = { ...sample, companies: [{ ...first, roles: [{ role: 'chair', person: 'nobody' }] }] }
  expect(() => openSampleRegistry(clock, nobody)).toThrow('has no person with the id nobody')
})
