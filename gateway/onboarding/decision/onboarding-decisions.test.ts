/** Tests decisions: a company is onboarded exactly once, and is validated by its registry data at that moment. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import sample from '../../../data/company-registry-sample.json' with { type: 'json' }
import { addCompany } from '../../companies/add-company.ts'
import type { Context } from '../../context.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { openSampleRegistry } from '../../registries/sample-registry.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
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

/** An onboarding of which all signers have signed. */
async function signed(requested: typeof BAKERY | typeof HOTEL = BAKERY): Promise<OnboardingKey> {
  const key = await onboarder.start(requested)
  for (const signer of await onboarder.submit(key)) {
    await onboarder.sign(signer)
  }
  return key
}

describe('accepting', () => {
  const statuses = async (...keys: OnboardingKey[]) =>
    (await Promise.all(keys.map((key) => onboarder.status(key)))).map(({ status }) => status).toSorted()

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
    async function submitted(requested: typeof BAKERY | typeof HOTEL) {
      const key = await onboarder.start(requested)
      const [signer = expect.fail('Nobody signs')] = await onboarder.submit(key)
      return { key, signer }
    }
    const target = async (key: OnboardingKey, url: string) =>
      findOnboardingByLink(gateway.context, { ...key, token: url.split('/').at(-1) ?? '' })

    test('opens that signer’s page; a new link replaces it, and a revoked link opens nothing', async () => {
      const { key, signer } = await submitted(HOTEL)
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
      const { signer } = await submitted(HOTEL)
      await onboarder.sign(signer)
      expect(await createSignerLink(gateway.context, signer)).toBeUndefined()
      const early = await onboarder.start(HOTEL)
      await onboarder.fill(early)
      expect(await onboarder.signers(early)).toEqual([])
    })

    test('can be created again for a signer who declined', async () => {
      const { key, signer } = await submitted(BAKERY)
      await onboarder.refuse(signer)
      expect(await createSignerLink(gateway.context, signer)).toMatch(/^http/)
      expect(await onboarder.sign(signer)).toBe(true)
      expect((await decideOnboarding(gateway.context, key)).status).toBe('Accepted')
    })
  })
})

describe('with the registry of the moment', () => {
  const OPERATOR = 'operator Ada'

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
      await passTime(gateway, 'PT26H')
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
})
