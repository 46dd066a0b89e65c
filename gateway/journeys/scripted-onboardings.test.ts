/** Brings in every company that the sandbox invents, and sees it come to what its script, and the guide, say. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import { openOnboarder } from '../onboarding/testing/onboarder.ts'
import { startWholeGateway, type WholeGateway } from '../testing/whole-gateway.ts'

let gateway: WholeGateway
let client: WholeGateway['client']
beforeAll(async () => {
  gateway = await startWholeGateway()
  client = (await gateway.otherPartner({ withCompany: false })).client
})
afterAll(() => gateway.close())

const scripted = [...sample.companies, ...sample.absent].map(
  ({ countryCode, organisationNumber, script }) => [countryCode, organisationNumber, script] as const,
)

test.each(scripted)('%s %s', async (country, organizationNumber, { status, statusReason }) => {
  const onboarder = openOnboarder(gateway, client)
  const key = await onboarder.start({ country, organizationNumber })
  expect(await onboarder.complete(key)).toMatchObject({ status, statusReason })
  const companies = await client.listCompanies()
  const own = companies.filter((company) => company.organizationNumber === organizationNumber)
  expect(own.map(({ onboardingId }) => onboardingId)).toEqual(status === 'Accepted' ? [key.id] : [])
})
