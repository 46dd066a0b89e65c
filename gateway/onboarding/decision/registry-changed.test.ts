/** Tests that a company is validated by its registry data at the decision, not by those when the link was opened. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import sample from '../../../data/company-registry-sample.json' with { type: 'json' }
import type { Context } from '../../context.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { openSampleRegistry } from '../../registries/sample-registry.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { onboardingSweeps } from '../jobs.ts'
import type { OnboardingKey } from '../store/onboarding.ts'
import { BAKERY, openOnboardingDriver, SHIPPING } from '../testing/onboarding-driver.ts'
import { decideOnboarding } from './decide-onboarding.ts'
import { reviewOnboarding } from './review-onboarding.ts'

const OPERATOR = 'operator Ada'

let gateway: TestGateway
let client: TestGateway['client']
let onboarder: ReturnType<typeof openOnboardingDriver>
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
beforeEach(async () => {
  client = (await gateway.otherPartner({ withCompany: false })).client
  onboarder = openOnboardingDriver(gateway, client)
})

type Change = Partial<(typeof sample.companies)[number]> | 'gone' | 'silent'

/** The gateway with a registry that now reports something else about one company. */
function withRegistry({ organizationNumber }: typeof BAKERY | typeof SHIPPING, change: Change): Context {
  const isMeant = ({ organisationNumber }: { readonly organisationNumber: string }) =>
    organisationNumber === organizationNumber
  const others = sample.companies.filter((company) => !isMeant(company))
  const changed = sample.companies.filter(isMeant).map((company) => ({ ...company, ...Object(change) }))
  const silent = { countryCode: 'NO', organisationNumber: organizationNumber, fault: 'unavailable' }
  const registry = openSampleRegistry(gateway.context.clock, {
    ...sample,
    companies: change === 'gone' ? others : [...others, ...changed],
    absent: change === 'silent' ? [...sample.absent, silent] : sample.absent,
  })
  return { ...gateway.context, registries: { of: () => registry, close: async () => undefined } }
}

async function signed(): Promise<OnboardingKey> {
  const key = await onboarder.start(BAKERY)
  for (const signer of await onboarder.submit(key)) {
    await onboarder.sign(signer)
  }
  return key
}

async function tasksOf({ id }: OnboardingKey): Promise<readonly string[]> {
  const { rows } = await gateway.context.database.pool.query<{ status: string }>(
    'select status from operator_tasks where subject_id = $1',
    [id],
  )
  return rows.map(({ status }) => status)
}

describe('once all have signed, the registry is requested again', () => {
  test.each<[string, Change, string]>([
    ['has gone bankrupt', { isBankrupt: true }, 'RiskEvaluation'],
    ['was struck off', { isActive: false }, 'CompanyNotFound'],
    ['no longer exists', 'gone', 'CompanyNotFound'],
  ])('a company that %s is Rejected', async (_what, change, statusReason) => {
    const key = await signed()
    await decideOnboarding(withRegistry(BAKERY, change), key)
    expect(await onboarder.status(key)).toMatchObject({ status: 'Rejected', statusReason })
    expect(await client.listCompanies()).toEqual([])
  })

  test('a company whose signer no longer has signing rights needs a manual review', async () => {
    const key = await signed()
    const signingRights = [{ kind: 'roles', needs: [{ roles: ['board-member'], count: 2 }] }]
    await decideOnboarding(withRegistry(BAKERY, { signingRights }), key)
    expect(await onboarder.status(key)).toMatchObject({ status: 'ManualHandling', statusReason: null })
  })

  test('a company is created under its current name', async () => {
    const key = await signed()
    await decideOnboarding(withRegistry(BAKERY, { name: 'Fjordgløtt Konditori AS' }), key)
    expect(await client.listCompanies()).toMatchObject([{ name: 'Fjordgløtt Konditori AS', onboardingId: key.id }])
  })

  test('an unavailable registry decides nothing: the sweep tries again, and operators hear of it after a day', async () => {
    const key = await signed()
    const silent = withRegistry(BAKERY, 'silent')
    await decideOnboarding(silent, key)
    await runSweepsUntilIdle(onboardingSweeps(silent))
    expect((await onboarder.status(key)).status).toBe('AwaitingCustomerAction')
    expect(await tasksOf(key)).toEqual([])
    const { clock } = gateway.context
    const tomorrow = { ...silent, clock: { ...clock, now: () => clock.now().add({ hours: 25 }) } }
    await runSweepsUntilIdle(onboardingSweeps(tomorrow))
    expect(await tasksOf(key)).toEqual(['open'])
    await client.moveSandboxClock({ body: { advance: 'PT26H' } })
    expect((await onboarder.status(key)).status).toBe('Accepted')
    expect(await tasksOf(key)).toEqual(['resolved'])
  })
})

describe('when an operator accepts, the registry is requested again', () => {
  async function handled(): Promise<OnboardingKey> {
    const key = await onboarder.start(SHIPPING)
    expect((await onboarder.complete(key)).status).toBe('ManualHandling')
    return key
  }

  test('and the operator is warned when the company has gone bankrupt; accepting it all the same records that', async () => {
    const key = await handled()
    const bankrupt = withRegistry(SHIPPING, { isBankrupt: true })
    const accept = { say: 'accept' } as const
    const words = 'The registry data now requires a rejection (RiskEvaluation)'
    await expect(reviewOnboarding(bankrupt, OPERATOR, key, accept)).rejects.toThrow(words)
    const other = { say: 'accept', despite: 'CompanyNotFound' } as const
    await expect(reviewOnboarding(bankrupt, OPERATOR, key, other)).rejects.toThrow(words)
    expect((await onboarder.status(key)).status).toBe('ManualHandling')
    await reviewOnboarding(bankrupt, OPERATOR, key, { say: 'accept', despite: 'RiskEvaluation' })
    expect((await onboarder.status(key)).status).toBe('Accepted')
  })

  test('and nothing is decided while it is unavailable, or not configured for the command', async () => {
    const key = await handled()
    const accept = { say: 'accept' } as const
    const silent = reviewOnboarding(withRegistry(SHIPPING, 'silent'), OPERATOR, key, accept)
    await expect(silent).rejects.toThrow('The company registry does not answer')
    const none = { ...gateway.context, registries: { of: () => null, close: async () => undefined } }
    await expect(reviewOnboarding(none, OPERATOR, key, accept)).rejects.toThrow(
      'No company registry is configured for NO',
    )
    expect((await onboarder.status(key)).status).toBe('ManualHandling')
  })
})
