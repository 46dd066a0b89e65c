/** Tests that a partner sees its own companies and no others, and that a company is onboarded once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPartner } from '../auth/create-partner.ts'
import { newId } from '../platform/ids.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { addCompany } from './add-company.ts'
import { listPartnerCompanies } from './company-store.ts'
import { onboardCompany } from './onboard-company.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const partnerCalled = async (name: string) => {
  const { rows } = await gateway.context.database.pool.query('select id from partners where name = $1', [name])
  return String(rows[0].id)
}

test('the demo partner finds a company of every country, by name', async () => {
  const served = { activeSubscription: true, services: ['AIS', 'PIS'], onboardingId: null }
  expect(await gateway.client.listCompanies()).toEqual([
    { organizationNumber: '987654325', country: 'NO', name: 'Nordlys Handel AS', ...served },
    { organizationNumber: '99001100', country: 'DK', name: 'Nordstjernen Handel ApS', ...served },
    { organizationNumber: '5599901005', country: 'SE', name: 'Norrsken Handel AB', ...served },
    { organizationNumber: '9900110-9', country: 'FI', name: 'Revontuli Kauppa Oy', ...served },
  ])
})

test('a partner without companies has an empty list, whatever other partners have', async () => {
  const { client } = await gateway.otherPartner({ withCompany: false })
  expect(await client.listCompanies()).toEqual([])
})

test('companies are sorted by name', async () => {
  const partnerId = await partnerCalled('Demo partner')
  for (const [organisationNumber, name] of [
    ['987654333', 'Vestavind Eiendom AS'],
    ['987654341', 'Granli Trelast AS'],
  ] as const) {
    await addCompany(gateway.context, 'test', { partnerId, countryCode: 'NO', organisationNumber, name })
  }
  const names = (await gateway.client.listCompanies()).map(({ name }) => name)
  expect([names[0], names[1], names.at(-1)]).toEqual(['Granli Trelast AS', 'Nordlys Handel AS', 'Vestavind Eiendom AS'])
})

test.each([
  ['987654326', /^The organisation number has a wrong check digit/],
  ['98765432', /^The organisation number is not nine digits/],
  ['987 654 325', /^The partner already has the company NO 987654325/],
])('the company %s is not added', async (organisationNumber, reason) => {
  const partnerId = await partnerCalled('Demo partner')
  const before = await listPartnerCompanies(gateway.context.database, partnerId)
  const company = { partnerId, countryCode: 'NO', organisationNumber, name: 'Another' }
  await expect(addCompany(gateway.context, 'test', company)).rejects.toThrow(reason)
  expect(await listPartnerCompanies(gateway.context.database, partnerId)).toEqual(before)
})

describe('of companies that another request creates after the lock found no row', () => {
  const by = { actor: 'operator Ada', onboardingId: newId(), name: 'Stormyr Rederi ASA' }

  async function companyOf({ accountInformationOnly }: { readonly accountInformationOnly: boolean }) {
    const { partner } = await createPartner(gateway.context, 'test', { name: newId() })
    const number = { partnerId: partner.id, countryCode: 'NO', organisationNumber: '987654430' }
    await addCompany(gateway.context, 'operator Ada', { ...number, name: 'Stormyr Rederi AS', accountInformationOnly })
    return number
  }

  test('one that was registered meanwhile is upgraded, under the name that the registry has now', async () => {
    const number = await companyOf({ accountInformationOnly: true })
    await onboardCompany(gateway.context, number, undefined, by)
    const companies = await listPartnerCompanies(gateway.context.database, number.partnerId)
    expect(companies).toMatchObject([{ name: by.name, services: ['AIS', 'PIS'], onboardingId: by.onboardingId }])
  })

  test('one that was onboarded meanwhile is a conflict', async () => {
    const number = await companyOf({ accountInformationOnly: false })
    await expect(onboardCompany(gateway.context, number, undefined, by)).rejects.toMatchObject({
      reasonCode: 'conflict',
    })
  })
})
