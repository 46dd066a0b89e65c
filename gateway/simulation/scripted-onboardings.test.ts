/** Tests that every sample company has its scripted outcome, and every other outcome a simulation step. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OnboardingStatus, OnboardingStatusReason } from '../../contract/onboarding.ts'
import type { SandboxOnboardingDetails, SandboxOnboardingStep } from '../../contract/sandbox/sandbox-onboarding.ts'
import sample from '../../data/company-registry-sample.json' with { type: 'json' }
import type { HavnClient } from '../../sdk/index.ts'
import { newId } from '../platform/ids.ts'
import { passTime } from '../testing/gateway/pass-time.ts'
import { startGatewayWithIdentity } from '../testing/identity/identity-provider-fixture.ts'
import { CALLBACK, PSU } from '../testing/payments/sample-payments.ts'

const SHIPPING = { country: 'NO', organizationNumber: '987654430' }
const HOTEL = { country: 'NO', organizationNumber: '987654414' }

let stage: Awaited<ReturnType<typeof startGatewayWithIdentity>>
let client: HavnClient
beforeAll(async () => {
  stage = await startGatewayWithIdentity()
  client = (await stage.gateway.otherPartner({ withCompany: false })).client
})
afterAll(() => stage.close())

/** Users of some companies at their banks, who give consent once the company is accepted. */
const CONTINUED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '987654406': { FJORNO22: '14857110548', HAVBNO22: 'SF10548' },
  '5599901104': { MALBSESS: '196586060428' },
  '99001305': { ORESDK22: 'soren.aebelo' },
  '9900130-1': { SAIMFIHH: '10020063' },
}

/** Their users sign as those of other companies do; in long runs these are onboarded, too. */
const SIGNED_ALIKE = [
  '987654325',
  '987654414',
  '987654538',
  '987654546',
  '987654619',
  '5599901005',
  '99001100',
  '9900110-9',
]
const onboardsAll = Number(process.env['HAVN_SAMPLE_COMPANIES'] ?? 0) > 0

async function expectConsents(organizationNumber: string): Promise<void> {
  for (const [bic, userId] of Object.entries(CONTINUED[organizationNumber] ?? {})) {
    const body = { bic, organizationNumber, userId, callbackUrl: CALLBACK }
    const consent = await client.createConsent({ psu: PSU, body })
    await client.decideSandboxConsent({ params: { consentId: consent.id, decision: 'sign' }, body: {} })
    const { accounts } = await client.listAccounts({ consentId: consent.id, psu: PSU })
    expect(accounts).toMatchObject([{ bban: expect.stringMatching(/^\d+$/) }])
  }
}

const start = async (body: { country: string; organizationNumber: string }) =>
  (await client.startOnboarding({ body })).id
const step = (onboardingId: string, name: SandboxOnboardingStep, body: SandboxOnboardingDetails = {}) =>
  client.stepSandboxOnboarding({ params: { onboardingId, step: name }, body })
const endOf = ({ status, statusReason }: { status: string; statusReason: string | null }) => [status, statusReason]
const scripted = [...sample.companies, ...sample.absent].map(({ countryCode, organisationNumber, script }) => ({
  name: `${countryCode} ${organisationNumber}`,
  requested: { country: countryCode, organizationNumber: organisationNumber },
  script,
}))

const ended = scripted.filter(({ script }) => script.status !== 'Created')
const onboarded = ended.filter(({ requested }) => onboardsAll || !SIGNED_ALIKE.includes(requested.organizationNumber))

describe('a company whose users enter what is registered, and sign', () => {
  test.each(onboarded)('$name: $script.status, $script.statusReason', async ({ requested, script }) => {
    const id = await start(requested)
    const filled = await step(id, 'fill')
    const ended = filled.status === 'AwaitingCustomerAction' ? await step(id, 'sign') : filled
    expect(endOf(ended)).toEqual([script.status, script.statusReason])
    const companies = await client.listCompanies()
    const own = companies.filter(({ organizationNumber }) => organizationNumber === requested.organizationNumber)
    expect(own.map(({ onboardingId }) => onboardingId)).toEqual(script.status === 'Accepted' ? [id] : [])
    await expectConsents(requested.organizationNumber)
  })

  test('continues with a consent in each country', () => {
    const accepted = scripted.filter(({ script }) => script.status === 'Accepted')
    const continued = accepted.filter(({ requested }) => Object.hasOwn(CONTINUED, requested.organizationNumber))
    expect(continued.map(({ requested }) => requested.country)).toEqual(['NO', 'SE', 'DK', 'FI'])
  })

  test('whose registry is unavailable: 503, and it stays Created', async () => {
    const [silent] = scripted.filter(({ script }) => script.status === 'Created')
    const id = await start(silent?.requested ?? SHIPPING)
    await expect(step(id, 'fill')).rejects.toMatchObject({ status: 503 })
    expect((await client.getOnboardingStatus({ params: { id } })).status).toBe('Created')
  })
})

describe('every other outcome', () => {
  const partner = async () => {
    client = (await stage.gateway.otherPartner({ withCompany: false })).client
  }

  test('Expired, and Expired for SignatureExpired', async () => {
    await partner()
    const [untouched, unsigned] = [await start(HOTEL), await start(HOTEL)]
    await step(unsigned, 'fill')
    await step(unsigned, 'sign', { signer: 0 })
    await passTime(stage.gateway, 'PT25H')
    const ends = await Promise.all([untouched, unsigned].map((id) => client.getOnboardingStatus({ params: { id } })))
    expect(ends.map(endOf)).toEqual([
      ['Expired', null],
      ['Expired', 'SignatureExpired'],
    ])
  })

  test('Cancelled by the company, also after a signer declined', async () => {
    await partner()
    const id = await start(HOTEL)
    await step(id, 'fill')
    expect((await step(id, 'refuse')).status).toBe('AwaitingCustomerAction')
    expect(endOf(await step(id, 'stop'))).toEqual(['Cancelled', null])
    await expect(step(id, 'sign')).rejects.toMatchObject({ status: 409, message: expect.stringContaining('Cancelled') })
  })

  test('Rejected for each reason of operators, MissingDocuments also by time', async () => {
    await partner()
    for (const reason of ['CompanyNotFound', 'UnsupportedCompanyType', 'RiskEvaluation', 'MissingDocuments'] as const) {
      const id = await handled()
      expect(endOf(await step(id, 'reject', { reason }))).toEqual(['Rejected', reason])
    }
    const id = await handled()
    expect(endOf(await step(id, 'ask-for-documents'))).toEqual(['ManualHandling', 'MissingDocuments'])
    await passTime(stage.gateway, 'PT169H')
    expect(endOf(await client.getOnboardingStatus({ params: { id } }))).toEqual(['Rejected', 'MissingDocuments'])
  })

  test('Accepted by an operator, with documents first', async () => {
    await partner()
    const id = await handled()
    await step(id, 'ask-for-documents', { words: 'The articles of association' })
    expect(endOf(await step(id, 'hand-in'))).toEqual(['ManualHandling', null])
    await expect(step(id, 'hand-in')).rejects.toMatchObject({ status: 409 })
    // One of two operators at once.
    const both = await Promise.allSettled([step(id, 'accept'), step(id, 'accept')])
    const ends = both.map((one) => (one.status === 'fulfilled' ? endOf(one.value) : one.reason.status))
    expect(ends).toEqual(expect.arrayContaining([['Accepted', null], 409]))
    await expect(step(id, 'accept')).rejects.toMatchObject({ status: 409 })
  })

  test('and with them every status and reason of the API occurs', () => {
    const ends = scripted.flatMap(({ script }) => [script.status, script.statusReason])
    expect(OnboardingStatusReason.enum.filter((reason) => !ends.includes(reason))).toEqual(['SignatureExpired'])
    const others = ['AwaitingCustomerAction', 'Cancelled', 'Expired']
    expect(OnboardingStatus.enum.filter((status) => !ends.includes(status))).toEqual(others)
  })

  async function handled(): Promise<string> {
    const id = await start(SHIPPING)
    await step(id, 'fill')
    expect((await step(id, 'sign')).status).toBe('ManualHandling')
    return id
  }
})

test('another partner’s onboarding, or an unknown one, cannot be changed: 404', async () => {
  const id = await start(HOTEL)
  const { client: other } = await stage.gateway.otherPartner({ withCompany: false })
  for (const onboardingId of [id, newId()]) {
    const stepped = other.stepSandboxOnboarding({ params: { onboardingId, step: 'fill' }, body: {} })
    await expect(stepped).rejects.toMatchObject({ status: 404, failure: 'ONBOARDING_NOT_FOUND' })
  }
})
