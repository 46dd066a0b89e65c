/** Tests the onboarding of a company that another request creates after its lock found no row. */
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const by = { actor: 'operator Ada', onboardingId: newId(), name: 'Stormyr Rederi AS' }

async function companyOf({ accountInformationOnly }: { readonly accountInformationOnly: boolean }) {
  const { partner } = await createPartner(gateway.context, 'test', { name: newId() })
  const number = { partnerId: partner.id, countryCode: 'NO', organisationNumber: '987654430' }
  await addCompany(gateway.context, 'operator Ada', { ...number, name: by.name, accountInformationOnly })
  return number
}

test('one that was registered meanwhile is upgraded', async () => {
  const number = await companyOf({ accountInformationOnly: true })
  await onboardCompany(gateway.context, number, undefined, by)
  const companies = await listPartnerCompanies(gateway.context.database, number.partnerId)
  expect(companies).toMatchObject([{ services: ['AIS', 'PIS'], onboardingId: by.onboardingId }])
})

test('one that was onboarded meanwhile is a conflict', async () => {
  const number = await companyOf({ accountInformationOnly: false })
  await expect(onboardCompany(gateway.context, number, undefined, by)).rejects.toMatchObject({ reasonCode: 'conflict' })
})
