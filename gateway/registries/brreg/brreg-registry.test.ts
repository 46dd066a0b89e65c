/** Tests the handling of responses of Norway's registers over HTTP, and that an invalid one is rejected as a whole. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { movableClock } from '../../platform/clock.ts'
import { type CompanyRegistry, RegistryUnavailable } from '../company-registry.ts'
import { openRegistryClient, type RegistryCall, type RegistryClient } from '../registry-client.ts'
import { signingCombinations } from '../signing-rights.ts'
import { openRecordedRegisters, type RecordedRegisters, recording } from '../testing/recorded-registers.ts'
import { openBrregRegistry } from './brreg-registry.ts'

const NUMBER = '987654414'
const COMPANY = `/enhetsregisteret/api/enheter/${NUMBER}`
const ROLES = `${COMPANY}/roller`
const SIGNATURE = `/fullmakt/enheter/${NUMBER}/signatur`
const BYTES_MAX = { responseBytesMax: 20_000 }
const IMPATIENT = { headersMilliseconds: 150, callMilliseconds: 250 }

let registers: RecordedRegisters
let client: RegistryClient
let registry: CompanyRegistry
let calls: RegistryCall[]
beforeEach(async () => {
  calls = []
  registers = await openRecordedRegisters()
  client = openRegistryClient((call) => calls.push(call), BYTES_MAX)
  registry = openBrregRegistry({ client, clock: movableClock(), address: registers.address })
  registers.answer(COMPANY, { status: 200, body: recording('company') })
  registers.answer(ROLES, { status: 200, body: recording('roles') })
  registers.answer(SIGNATURE, { status: 200, body: recording('signature-understood') })
})
afterEach(async () => {
  await client.close()
  await registers.close()
})

const find = (number = NUMBER) => registry.find('NO', number)

describe('a company of the register', () => {
  test('has its address, its roles and its signing rights', async () => {
    const company = await find()
    expect(company).toMatchObject({
      countryCode: 'NO',
      organisationNumber: NUMBER,
      name: 'HAVBLIKK HOTELL AS',
      organisationForm: 'AS',
      address: {
        street: 'c/o Havblikk Drift, Strandpromenaden 4',
        postCode: '4608',
        city: 'KRISTIANSAND S',
        countryCode: 'NO',
      },
      isActive: true,
      isBankrupt: false,
      isInLiquidation: false,
      isInReconstruction: false,
      beneficialOwners: null,
      registeredAt: '2009-11-30',
      source: 'brreg',
    })
    expect(company?.roles.map(({ role, person }) => `${role} ${person.name.given}|${person.name.family}`)).toEqual([
      'managing-director Håkon Emil|Strøm',
      'chair Turid|Ødegård',
      'board-member Bjørnar|Lie-Hagen',
      'deputy-member Solveig|Åsen',
    ])
    const combinations = signingCombinations(company?.signingRights ?? null, company?.roles ?? [])
    expect(combinations.map((people) => people.map(({ name }) => name.family))).toEqual([
      ['Ødegård', 'Lie-Hagen'],
      ['Strøm', 'Ødegård'],
      ['Strøm', 'Lie-Hagen'],
    ])
  })

  test('is requested in the API versions that are parsed here, once each, and measured', async () => {
    await find()
    const version = 'application/vnd.brreg.enhetsregisteret'
    expect(registers.questions.toSorted()).toEqual([
      `${COMPANY} ${version}.enhet.v2+json`,
      `${ROLES} ${version}.rolle.v1+json`,
      `${SIGNATURE} ${version}.fullmakt.oppslag.v1+json`,
    ])
    expect(
      calls.map(({ registry: requested, operation, outcome }) => `${requested} ${operation} ${outcome}`).toSorted(),
    ).toEqual(['brreg readCompany 200', 'brreg readRoles 200', 'brreg readSigningRights 200'])
  })

  test.each([
    ['konkurs', true, { isBankrupt: true, isInLiquidation: false }],
    ['underUtenlandskInsolvensbehandlingDato', '2026-10-01', { isBankrupt: true, isInLiquidation: false }],
    ['underAvvikling', true, { isBankrupt: false, isInLiquidation: true }],
    ['underTvangsavviklingEllerTvangsopplosning', true, { isBankrupt: false, isInLiquidation: true }],
    ['underRekonstruksjonsforhandlingDato', '2026-10-01', { isBankrupt: false, isInReconstruction: true }],
  ])('is bankrupt, in reconstruction or being wound up where %s says so', async (member, value, expected) => {
    const body = JSON.stringify({ ...JSON.parse(recording('company')), [member]: value })
    registers.answer(COMPANY, { status: 200, body })
    expect(await find()).toMatchObject(expected)
  })

  test('has its postal address where it has no other, and possibly none', async () => {
    const { forretningsadresse: _business, ...company } = JSON.parse(recording('company'))
    registers.answer(COMPANY, { status: 200, body: JSON.stringify(company) })
    expect((await find())?.address).toMatchObject({ street: 'Postboks 118', postCode: '4662' })
    const { postadresse: _mail, ...bare } = company
    registers.answer(COMPANY, { status: 200, body: JSON.stringify(bare) })
    expect((await find())?.address).toBeNull()
  })

  test('that is struck off is known, inactive, and without signing rights', async () => {
    const number = '987654570'
    registers.answer(`/enhetsregisteret/api/enheter/${number}`, { status: 200, body: recording('company-struck-off') })
    expect(await find(number)).toMatchObject({ name: 'BORTE VEKK AS', isActive: false, roles: [], signingRights: null })
    expect(registers.questions).toHaveLength(1)
  })

  test('has what is not null', async () => {
    const known = await find()
    const nothing = { konkurs: null, slettedato: null, postadresse: null, underUtenlandskInsolvensbehandlingDato: null }
    registers.answer(COMPANY, {
      status: 200,
      body: JSON.stringify({ ...JSON.parse(recording('company')), ...nothing }),
    })
    expect(await find()).toEqual({ ...known, readAt: expect.any(String) })
  })

  test('without roles or signing rights on record needs a manual review', async () => {
    registers.answer(ROLES, { status: 404, body: '' })
    registers.answer(SIGNATURE, { status: 404, body: '' })
    expect(await find()).toMatchObject({ roles: [], signingRights: null })
  })
})

test.each([
  ['never issued', { status: 404, body: '{"melding":"Ingen treff"}' }],
  ['removed from the public register', { status: 410, body: recording('company-removed') }],
])('a number that was %s is unknown', async (_what, answer) => {
  registers.answer('/enhetsregisteret/api/enheter/987654589', answer)
  expect(await find('987654589')).toBeNull()
})

test('numbers of other countries, and invalid texts, are not requested', async () => {
  expect(await registry.find('SE', '5599901104')).toBeNull()
  expect(await registry.find('NO', '../roller')).toBeNull()
  expect(registers.questions).toEqual([])
})

describe.each([
  ['the company', COMPANY],
  ['the roles', ROLES],
  ['the signing rights', SIGNATURE],
])('a response for %s that is', (_what, path) => {
  test.each([
    ['a server error', { status: 500, body: '{}' }],
    ['a rate limit', { status: 429, body: '' }],
    ['a redirect', { status: 302, body: '', location: 'http://127.0.0.1:9/' }],
    ['no JSON', { status: 200, body: '<html>Vedlikehold</html>' }],
    ['in another format', { status: 200, body: '{"rollegrupper": "ingen"}' }],
    ['over the size limit', { status: 200, body: ' '.repeat(30_000) }],
  ])('%s makes the registry unavailable as a whole', async (_kind, answer) => {
    registers.answer(path, answer)
    await expect(find()).rejects.toThrow(RegistryUnavailable)
  })

  test('missing is waited for no longer than users wait', async () => {
    registers.answer(path, null)
    const impatient = openRegistryClient(() => undefined, IMPATIENT)
    const requested = openBrregRegistry({ client: impatient, clock: movableClock(), address: registers.address })
    await expect(requested.find('NO', NUMBER)).rejects.toThrow(
      'The registry could not be reached, or its response was incomplete',
    )
    await impatient.close()
  })
})

test.each([
  [COMPANY, recording('company').replaceAll(NUMBER, '987654406')],
  [SIGNATURE, recording('signature-understood').replaceAll(NUMBER, '987654406')],
])('a response at %s for another company is rejected', async (path, body) => {
  registers.answer(path, { status: 200, body })
  await expect(find()).rejects.toThrow(RegistryUnavailable)
})

test('the reason contains no person and no company', async () => {
  registers.answer(ROLES, { status: 500, body: recording('roles') })
  const reason = await find().catch((error: Error) => error.message)
  expect(reason).toBe('The registry returned status 500 without readable roles')
})

test('a closed port is an unreachable registry, and reported as such', async () => {
  await registers.close()
  await expect(find()).rejects.toThrow('The registry could not be reached, or its response was incomplete')
  expect(calls).toMatchObject([{ operation: 'readCompany', outcome: 'unreachable' }])
  registers = await openRecordedRegisters()
})
