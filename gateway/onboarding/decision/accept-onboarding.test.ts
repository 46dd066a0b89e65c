/** Tests that acceptance onboards a company exactly once, with concurrent onboardings, several signers and crashes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addCompany } from '../../companies/add-company.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { onboardingSweeps } from '../jobs.ts'
import { findOnboardingByLink } from '../onboarding-link.ts'
import { openOnboarding } from '../open-onboarding.ts'
import { createSignerLink, revokeSignerLink } from '../signatures/create-signer-link.ts'
import type { OnboardingKey } from '../store/onboarding.ts'
import { BAKERY, HOTEL, openOnboardingDriver, SHIPPING } from '../testing/onboarding-driver.ts'
import { decideOnboarding } from './decide-onboarding.ts'
import { reviewOnboarding } from './review-onboarding.ts'

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

const statuses = async (...keys: OnboardingKey[]) =>
  (await Promise.all(keys.map((key) => onboarder.status(key)))).map(({ status }) => status).toSorted()

async function signed(requested: typeof BAKERY | typeof HOTEL): Promise<OnboardingKey> {
  const key = await onboarder.start(requested)
  for (const signer of await onboarder.submit(key)) {
    await onboarder.sign(signer)
  }
  return key
}

describe('a company is onboarded once', () => {
  test('by two concurrently decided onboardings: one is Accepted, the other Cancelled', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { client: another } = await gateway.otherPartner({ withCompany: false })
      onboarder = openOnboardingDriver(gateway, another)
      const keys = [await signed(BAKERY), await signed(BAKERY), await signed(BAKERY)]
      await Promise.all(keys.map((key) => decideOnboarding(gateway.context, key)))
      expect(await statuses(...keys)).toEqual(['Accepted', 'Cancelled', 'Cancelled'])
      expect(await another.listCompanies()).toHaveLength(1)
    }
  })

  test('by two operators who accept two onboardings of it at the same time', async () => {
    const keys = [await onboarder.start(SHIPPING), await onboarder.start(SHIPPING)]
    for (const key of keys) {
      expect((await onboarder.complete(key)).status).toBe('ManualHandling')
    }
    const accept = (key: OnboardingKey) => reviewOnboarding(gateway.context, 'operator Ada', key, { say: 'accept' })
    const accepted = await Promise.allSettled([...keys, ...keys].map(accept))
    expect(accepted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const text = "select subject_id from operator_tasks where subject_id = any($1) and status <> 'resolved'"
    const ids = keys.map(({ id }) => id)
    expect((await gateway.context.database.pool.query(text, [ids])).rows).toEqual([])
    expect(await statuses(...keys)).toEqual(['Accepted', 'Cancelled'])
    expect(await client.listCompanies()).toHaveLength(1)
  })

  test('however often the last signature is reported', async () => {
    const key = await onboarder.start(HOTEL)
    const signers = await onboarder.submit(key)
    const reported = [...signers, ...signers, ...signers].map(async (signer) => {
      await onboarder.sign(signer)
      await decideOnboarding(gateway.context, key)
    })
    await Promise.all(reported)
    expect(await statuses(key)).toEqual(['Accepted'])
    expect(await client.listCompanies()).toMatchObject([{ name: 'Havblikk Hotell AS', onboardingId: key.id }])
  })

  test('also when the process crashes between the last signature and the decision: the sweep decides', async () => {
    const key = await signed(BAKERY)
    expect(await statuses(key)).toEqual(['AwaitingCustomerAction'])
    await openOnboarding(gateway.context, key)
    await runSweepsUntilIdle(onboardingSweeps(gateway.context))
    expect(await statuses(key)).toEqual(['Accepted'])
    expect(await client.listCompanies()).toHaveLength(1)
  })

  test('and not at all when an operator has added it meanwhile: the onboarding is Cancelled', async () => {
    const key = await signed(BAKERY)
    const company = { countryCode: 'NO', organisationNumber: '987654406', name: 'Fjordgløtt Bakeri AS' }
    await addCompany(gateway.context, 'operator Ada', { partnerId: key.partnerId, ...company })
    await decideOnboarding(gateway.context, key)
    expect(await statuses(key)).toEqual(['Cancelled'])
    expect(await client.listCompanies()).toMatchObject([{ onboardingId: null }])
  })
})

describe('a signer’s own link', () => {
  const target = async (key: OnboardingKey, url: string) =>
    findOnboardingByLink(gateway.context, { ...key, token: url.split('/').at(-1) ?? '' })

  test('opens that signer’s page; a new link replaces it, and a revoked link opens nothing', async () => {
    const key = await onboarder.start(HOTEL)
    const [signer] = await onboarder.submit(key)
    if (signer === undefined) {
      throw new Error('Nobody signs')
    }
    const first = (await createSignerLink(gateway.context, signer)) ?? ''
    expect(await target(key, first)).toMatchObject({ signer: { id: signer.id } })
    expect(await target(key, key.url)).toMatchObject({ signer: null })
    const second = (await createSignerLink(gateway.context, signer)) ?? ''
    expect(await target(key, first)).toBeUndefined()
    expect(await target(key, second)).toMatchObject({ signer: { id: signer.id } })
    expect(await revokeSignerLink(gateway.context, 'company', signer)).toBe(true)
    expect(await target(key, second)).toBeUndefined()
  })

  test('is created for no one who has signed, and not before the summary is confirmed', async () => {
    const key = await onboarder.start(HOTEL)
    const [signer] = await onboarder.submit(key)
    if (signer === undefined) {
      throw new Error('Nobody signs')
    }
    await onboarder.sign(signer)
    expect(await createSignerLink(gateway.context, signer)).toBeUndefined()
    const early = await onboarder.start(HOTEL)
    await onboarder.fill(early)
    expect(await onboarder.signers(early)).toEqual([])
  })

  test('can be created again for a signer who declined', async () => {
    const key = await onboarder.start()
    const [signer] = await onboarder.submit(key)
    if (signer === undefined) {
      throw new Error('Nobody signs')
    }
    await onboarder.refuse(signer)
    expect(await createSignerLink(gateway.context, signer)).toMatch(/^http/)
    expect(await onboarder.sign(signer)).toBe(true)
    expect((await decideOnboarding(gateway.context, key)).status).toBe('Accepted')
  })
})
