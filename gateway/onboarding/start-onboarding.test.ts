/** Tests how partners onboard companies: valid and invalid requests, ownership, and existing companies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePartnerPermission } from '../auth/client-permissions.ts'
import { registerCompany } from '../companies/register-company.ts'
import { findPartner } from '../partners/partner-store.ts'
import { newId } from '../platform/ids.ts'
import { type Answer, sendRawRequest, validHeaders, withoutRequestId } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openOnboarding } from './open-onboarding.ts'
import { BAKERY, HOTEL, openOnboardingDriver } from './testing/onboarding-driver.ts'

const START = ['POST', '/onboarding'] as const
const REGISTER = ['POST', '/onboarding/registration'] as const
const CALLBACK = 'https://erp.example/back?customer=7'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway)
})
afterAll(() => gateway.close())

const post = (body: unknown, operation: readonly [string, string] = START): Promise<Answer> =>
  sendRawRequest(gateway, operation, { headers, body })
const stored = async () => {
  const { rows } = await gateway.context.database.pool.query('select count(*)::int as count from onboardings')
  return rows[0]?.count
}
async function agree(to: boolean, nameOrId = 'Demo partner'): Promise<void> {
  const partner = await findPartner(gateway.context.database, nameOrId)
  if (partner !== undefined) {
    await changePartnerPermission(gateway.context, 'operator Ada', partner, ['aisRegistration', to])
  }
}

describe('an onboarding is started', () => {
  test.each<[string, object, string]>([
    ['with the number as a string', BAKERY, '987654406'],
    ['with the number as a JSON number', { country: 'NO', organizationNumber: 987654406 }, '987654406'],
    ['with the number in groups', { country: 'NO', organizationNumber: 'NO 987 654 406 MVA' }, '987654406'],
    ['with a Finnish number without its hyphen', { country: 'FI', organizationNumber: '99001301' }, '9900130-1'],
    ['with unknown fields', { ...BAKERY, colour: 'blue' }, '987654406'],
    ['with a redirectUrl', { ...BAKERY, redirectUrl: CALLBACK }, '987654406'],
  ])('%s', async (_what, body, number) => {
    const answer = await post(body)
    expect(answer.status).toBe(200)
    const { id, url } = Object(answer.body)
    expect(url).toMatch(new RegExp(`^${gateway.config.onboardingUrl}/onboarding/[0-9a-f-]{36}/${id}/[\\w-]{43}$`))
    const shown = await gateway.client.getOnboardingStatus({ params: { id } })
    expect(shown).toMatchObject({ status: 'Created', organizationNumber: number })
  })

  test.each<[string, object, string, string | RegExp]>([
    ['no country', { organizationNumber: '987654406' }, '.country', 'is required'],
    ['a country in lower case', { ...BAKERY, country: 'no' }, '.country', /must be a country code/],
    ['a country that is not served', { ...BAKERY, country: 'IS' }, '.country', 'must be one of NO, SE, DK, FI'],
    ['no number', { country: 'NO' }, '.organizationNumber', 'is required'],
    ['a wrong check digit', { ...BAKERY, organizationNumber: '987654407' }, '.organizationNumber', /check digit/],
    [
      'a Swedish number in Norway',
      { ...BAKERY, organizationNumber: '5599901104' },
      '.organizationNumber',
      /nine digits/,
    ],
    ['another protocol', { ...BAKERY, redirectUrl: 'ftp://erp.example' }, '.redirectUrl', /ftp: is not/],
    [
      'a redirectUrl with credentials',
      { ...BAKERY, redirectUrl: 'https://a:b@erp.example' },
      '.redirectUrl',
      /credentials/,
    ],
    ['plain http to another machine', { ...BAKERY, redirectUrl: 'http://erp.example/' }, '.redirectUrl', /use https/],
    ['a number as redirectUrl', { ...BAKERY, redirectUrl: 7 }, '.redirectUrl', 'must be a string'],
  ])('is rejected for %s, and nothing is stored', async (_what, body, path, reason) => {
    const before = await stored()
    const answer = await post(body)
    const matching = typeof reason === 'string' ? expect.stringContaining(reason) : expect.stringMatching(reason)
    expect([answer.status, answer.body]).toMatchObject([422, [{ code: 'InvalidRequest', reason: matching, path }]])
    expect(await stored()).toBe(before)
  })

  test('all errors are returned at once', async () => {
    const { body } = await post({ country: 'NO', organizationNumber: '1', redirectUrl: 'mailto:a@b.example' })
    expect(body).toMatchObject([{ path: '.organizationNumber' }, { path: '.redirectUrl' }])
  })

  test('once under an Idempotency-Key: the same id and url are returned', async () => {
    const requested = { headers: { ...headers, 'idempotency-key': newId() }, body: BAKERY }
    const [first, again] = [
      await sendRawRequest(gateway, START, requested),
      await sendRawRequest(gateway, START, requested),
    ]
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('its link is stored as a hash only, and is in no log line', async () => {
    const { id, url } = Object((await post(BAKERY)).body)
    const token = String(url).split('/').at(-1) ?? ''
    const { rows } = await gateway.context.database.pool.query('select * from onboardings where id = $1', [id])
    expect(JSON.stringify(rows)).not.toContain(token)
    await gateway.fetch(new URL(url).pathname, { redirect: 'manual' })
    expect(gateway.logLines().filter((line) => line.includes(token))).toEqual([])
  })
})

describe('a company that exists already', () => {
  test('cannot be onboarded again: 409 with the onboarding that created it', async () => {
    const onboarder = openOnboardingDriver(gateway)
    const steam = { country: 'FI', organizationNumber: '9900130-1' }
    const key = await onboarder.start(steam)
    await onboarder.complete(key)
    await expect(gateway.client.startOnboarding({ body: steam })).rejects.toMatchObject({
      failure: 'COMPANY_ALREADY_EXISTS',
      onboardingId: key.id,
    })
    expect(await post(steam)).toMatchObject({
      status: 409,
      body: { failure: 'COMPANY_ALREADY_EXISTS', additionalInformation: { onboardingId: key.id } },
    })
  })

  test('and was created in another way: 409 with null', async () => {
    const answer = await post({ country: 'NO', organizationNumber: '987654325' })
    expect(answer).toMatchObject({
      status: 409,
      body: { failure: 'COMPANY_ALREADY_EXISTS', additionalInformation: { onboardingId: null } },
    })
  })

  test('with another partner is no obstacle: this one may onboard it too', async () => {
    const { client } = await gateway.otherPartner({ withCompany: false })
    const onboarder = openOnboardingDriver(gateway, client)
    expect((await onboarder.complete(await onboarder.start(HOTEL))).status).toBe('Accepted')
    expect((await post(HOTEL)).status).toBe(200)
  })
})

describe('another partner’s onboarding', () => {
  test('does not exist: the same 404 as for an unknown one', async () => {
    const { client } = await gateway.otherPartner({ withCompany: false })
    const { id } = await openOnboardingDriver(gateway, client).start()
    for (const [method, end] of [
      ['GET', 'status'],
      ['POST', 'cancel'],
    ] as const) {
      const theirs = await sendRawRequest(gateway, [method, `/onboarding/${id}/${end}`], { headers })
      const nobodys = await sendRawRequest(gateway, [method, `/onboarding/${newId()}/${end}`], { headers })
      const malformed = await sendRawRequest(gateway, [method, `/onboarding/not-an-id/${end}`], { headers })
      expect(withoutRequestId(theirs)).toEqual(withoutRequestId(nobodys))
      const unknown = { status: 404, body: { failure: 'ONBOARDING_NOT_FOUND' } }
      expect([theirs, malformed]).toMatchObject([unknown, unknown])
    }
    const listed = await gateway.client.listOnboardings()
    expect(listed.map((one) => one.id)).not.toContain(id)
  })
})

describe('a list', () => {
  test('is filtered by status and by number, newest first, and shows no answers', async () => {
    const { client } = await gateway.otherPartner({ withCompany: false })
    const onboarder = openOnboardingDriver(gateway, client)
    const [first, second] = [await onboarder.start(), await onboarder.start(HOTEL)]
    await onboarder.submit(second)
    const ids = async (query: Parameters<typeof client.listOnboardings>[0]) =>
      (await client.listOnboardings(query)).map(({ id }) => id)
    expect(await ids({})).toEqual([second.id, first.id])
    expect(await ids({ query: { status: 'Created' } })).toEqual([first.id])
    expect(await ids({ query: { organizationNumber: 'NO 987 654 414 MVA' } })).toEqual([second.id])
    expect(await ids({ query: { organizationNumber: '1' } })).toEqual([])
    const text = JSON.stringify(await client.listOnboardings())
    const [signer] = await onboarder.signers(second)
    expect(text).not.toContain(signer?.name ?? 'a name')
    expect(text).not.toContain('post@example.com')
  })

  test('rejects an unknown status: 422', async () => {
    const answer = await sendRawRequest(gateway, ['GET', '/onboarding?status=Opened'], { headers })
    expect([answer.status, answer.body]).toMatchObject([422, [{ path: '.status' }]])
  })
})

describe('registration for account information', () => {
  test('needs the partner permission: 403 without', async () => {
    await agree(false)
    expect(await post(BAKERY, REGISTER)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('ais-registration') },
    })
  })

  test.each([
    ['NO', '987654562', 'Solveig Åsen Regnskap'],
    ['SE', '559990-1104', 'Ålidhems Åkeri & Märgel AB'],
    ['DK', 99001305, 'Ærøskøbing Sæbe ApS'],
  ])(
    'of %s %s uses the registry’s name; the company has account information and cannot pay',
    async (country, number, name) => {
      await agree(true)
      const answer = await post({ country, organizationNumber: number }, REGISTER)
      expect(answer).toMatchObject({
        status: 200,
        body: { country, organizationName: name, services: ['AIS'], activeSubscription: true },
      })
      const again = await post({ country, organizationNumber: number }, REGISTER)
      expect(again).toMatchObject({
        status: 409,
        body: { failure: 'COMPANY_ALREADY_EXISTS', additionalInformation: { onboardingId: null } },
      })
      await agree(false)
    },
  )

  test.each<[string, object, string]>([
    ['Finland', { country: 'FI', organizationNumber: '9900130-1' }, '.country'],
    [
      'a number that the registry does not know',
      { country: 'NO', organizationNumber: '974760673' },
      '.organizationNumber',
    ],
    ['a company that is struck off', { country: 'NO', organizationNumber: '987654570' }, '.organizationNumber'],
    ['a wrong number', { country: 'NO', organizationNumber: '987654407' }, '.organizationNumber'],
  ])('is rejected for %s: 422', async (_what, body, path) => {
    await agree(true)
    const answer = await post(body, REGISTER)
    expect([answer.status, answer.body]).toMatchObject([422, [{ code: 'InvalidRequest', path }]])
    await agree(false)
  })

  test('returns what is stored when the company is created in another way while the registry is requested', async () => {
    const { client } = await gateway.otherPartner({ withCompany: false })
    const onboarder = openOnboardingDriver(gateway, client)
    const key = await onboarder.start(HOTEL)
    await agree(true, key.partnerId)
    const { registries } = gateway.context
    const slow = {
      find: async (countryCode: string, organisationNumber: string) => {
        await onboarder.complete(key)
        return (await registries.of(countryCode)?.find(countryCode, organisationNumber)) ?? null
      },
    }
    const context = { ...gateway.context, registries: { ...registries, of: () => slow } }
    await expect(registerCompany(context, { ...key, clientId: newId() }, HOTEL)).rejects.toMatchObject({
      reasonCode: 'COMPANY_ALREADY_EXISTS',
      message: 'You have already onboarded Havblikk Hotell AS',
      extras: { onboardingId: key.id },
    })
    expect(await client.listCompanies()).toMatchObject([{ services: ['AIS', 'PIS'], onboardingId: key.id }])
  })

  test('still permits an onboarding, after which the company can pay', async () => {
    const { client } = await gateway.otherPartner({ withCompany: false })
    const onboarder = openOnboardingDriver(gateway, client)
    const key = await onboarder.start(HOTEL)
    await agree(true, key.partnerId)
    await client.registerCompany({ body: HOTEL })
    expect(await client.listCompanies()).toMatchObject([{ services: ['AIS'], onboardingId: null }])
    await onboarder.complete(key)
    expect(await client.listCompanies()).toMatchObject([{ services: ['AIS', 'PIS'], onboardingId: key.id }])
  })
})

describe('the subscription of a company', () => {
  const NORDLYS = { countryCode: 'NO', organizationNumber: '987654325' }

  test('is cancelled and activated by its partner; a repeated request changes nothing', async () => {
    const { client } = await gateway.otherPartner()
    for (const active of [false, false, true, true]) {
      const change = active ? client.activateSubscription : client.cancelSubscription
      expect(await change({ params: NORDLYS })).toMatchObject({ ...shownOf(NORDLYS), activeSubscription: active })
    }
  })

  test('of a company that only another partner has: 404', async () => {
    const { client } = await gateway.otherPartner({ withCompany: false })
    await expect(client.cancelSubscription({ params: NORDLYS })).rejects.toMatchObject({ status: 404 })
    const own = (await gateway.client.listCompanies()).find(
      ({ organizationNumber }) => organizationNumber === '987654325',
    )
    expect(own?.activeSubscription).toBe(true)
  })

  test.each([
    ['no', '987654325'],
    ['NO', '987654326'],
    ['XX', '1'],
  ])('of %s %s, which does not exist: 404', async (countryCode, organizationNumber) => {
    const params = { countryCode, organizationNumber }
    await expect(gateway.client.activateSubscription({ params })).rejects.toMatchObject({ status: 404 })
  })
})

test('a url that is opened while the registry is unavailable is unchanged, and can be opened again', async () => {
  const key = await openOnboardingDriver(gateway).start({ country: 'NO', organizationNumber: '987654597' })
  expect(await openOnboarding(gateway.context, key)).toEqual({ outcome: 'registry-unavailable' })
  expect((await gateway.client.getOnboardingStatus({ params: { id: key.id } })).status).toBe('Created')
})

function shownOf({ countryCode, organizationNumber }: { countryCode: string; organizationNumber: string }) {
  return { country: countryCode, organizationNumber }
}
