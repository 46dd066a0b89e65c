/** Tests how consents are read, listed and revoked, and that no partner sees or ends another's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, KARI, OLA } from '../testing/payments/sample-payments.ts'

const CONSENTS = '/api/v2/consents'
const ELSEWHERE = { bic: 'FJELNO22' }

let gateway: TestGateway
let headers: Record<string, string>
let other: Awaited<ReturnType<TestGateway['otherPartner']>>
let theirs: string
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  other = await gateway.otherPartner()
  theirs = (await acceptedConsent(other, OLA)).consentId
})
afterAll(() => gateway.close())

const list = (query = '') => sendRawRequest(gateway, ['GET', `${CONSENTS}/list${query}`], { headers })

describe('a list of consents', () => {
  test('holds the partner’s own', async () => {
    expect(await list()).toMatchObject({ status: 200, body: [{ id: headers['consent-id'], status: 'ACCEPTED' }] })
  })

  test('holds the newest 500, and decrypts nothing', async () => {
    const { client, credentials } = await gateway.otherPartner()
    await gateway.context.database.pool.query(
      `insert into consents (partner_id, id, company_id, bic, country_code, organisation_number, status,
         bank_consent_id_sealed, callback_url, valid_until, created_at, updated_at)
       select clients.partner_id, gen_random_uuid(), company_id, bic, country_code, organisation_number, 'REVOKED',
         'not sealed', callback_url, valid_until, consents.created_at, updated_at
       from clients, consents, generate_series(1, 501) where clients.client_id = $1 and id = $2`,
      [credentials.clientId, theirs],
    )
    const requested = { grant_type: 'client_credentials' as const, scope: scopesByEnvironment.sandbox }
    const body = { ...requested, client_id: credentials.clientId, client_secret: credentials.clientSecret }
    const token = async () => (await client.issueToken({ body })).access_token
    const listed = await sendRawRequest(gateway, ['GET', `${CONSENTS}/list`], {
      headers: await validHeaders({ token }),
    })
    expect({ status: listed.status, listed: Object(listed.body).length }).toEqual({ status: 200, listed: 500 })
  })

  test('is filtered by company and by the end of validity', async () => {
    const ofCompany = await list('?organizationNumber=987654325')
    expect(ofCompany.body).toHaveLength(1)
    expect((await list('?organizationNumber=NO%20987%20654%20325%20MVA')).body).toEqual(ofCompany.body)
    expect((await list('?organizationNumber=987654333')).body).toEqual([])
    const { validUntil } = Object(ofCompany.body)[0]
    const end = Temporal.Instant.from(validUntil)
    expect((await list(`?expiringBefore=${end}`)).body).toEqual([])
    expect((await list(`?expiringBefore=${end.add({ seconds: 1 })}`)).body).toHaveLength(1)
    const lastDay = end.toZonedDateTimeISO('Europe/Oslo').toPlainDate()
    expect((await list(`?expiringBefore=${lastDay}`)).body).toEqual([])
    expect((await list(`?expiringBefore=${lastDay.add({ days: 1 })}`)).body).toHaveLength(1)
  })

  test('by the end of validity is sorted by it, and holds accepted consents only', async () => {
    const own = headers['consent-id'] ?? ''
    const others = [
      (await acceptedConsent(gateway, OLA, ELSEWHERE)).consentId,
      (await acceptedConsent(gateway, KARI, ELSEWHERE)).consentId,
    ]
    const end = async (id: string | undefined, day: string) =>
      await gateway.context.database.pool.query('update consents set valid_until = $1 where id = $2', [day, id])
    await end(others[0], '2098-01-03T00:00:00Z')
    await end(others[1], '2098-01-01T00:00:00Z')
    await end(own, '2098-01-02T00:00:00Z')
    const ids = (await list('?expiringBefore=2099-01-01')).body
    expect(Object(ids).map(({ id }: { id: string }) => id)).toEqual([others[1], own, others[0]])
    await gateway.client.revokeConsent({ consentId: others[0] ?? '', psu: { ipAddress: '127.0.0.1', userAgent: 'x' } })
    expect((await list('?expiringBefore=2099-01-01')).body).toHaveLength(2)
  })

  test.each([
    ['?expiringBefore=soon', '.expiringBefore'],
    ['?expiringBefore=2026-02-30', '.expiringBefore'],
    ['?expiringBefore=2026-02-10T25:00:00Z', '.expiringBefore'],
    ['?expiringBefore=', '.expiringBefore'],
    ['?organizationNumber=%00', '.organizationNumber'],
    ['?organizationNumber=1&organizationNumber=2', '.organizationNumber'],
  ])('is rejected for %s', async (query, path) => {
    expect(await list(query)).toMatchObject({ status: 422, body: [{ code: 'InvalidRequest', path }] })
  })
})

describe('a consent', () => {
  test('masks all but a few characters of the user’s id', async () => {
    const { body } = await sendRawRequest(gateway, ['GET', CONSENTS], { headers })
    expect(body).toMatchObject({ id: headers['consent-id'], userIdMasked: expect.stringMatching(/\*|•|x/i) })
    expect(JSON.stringify(body)).not.toContain(KARI)
  })

  test('of another partner can be neither read nor revoked', async () => {
    const theirHeaders = { ...headers, 'consent-id': theirs }
    for (const method of ['GET', 'DELETE']) {
      expect(await sendRawRequest(gateway, [method, CONSENTS], { headers: theirHeaders })).toMatchObject({
        status: 400,
        body: { failure: 'INVALID_CONSENT', message: 'No consent has the id in the header consent-id' },
      })
    }
    const { rows } = await gateway.context.database.pool.query('select status from consents where id = $1', [theirs])
    expect(rows).toEqual([{ status: 'ACCEPTED' }])
  })

  test('that is revoked permits no further use, says so, and can still be read', async () => {
    const { consentId, psu } = await acceptedConsent(gateway, OLA)
    await gateway.client.revokeConsent({ consentId, psu })
    const revoked = { ...headers, 'consent-id': consentId }
    for (const [method, path] of [
      ['GET', '/api/v2/accounts'],
      ['POST', '/api/v2/payments'],
      ['DELETE', CONSENTS],
    ] as const) {
      expect(await sendRawRequest(gateway, [method, path], { headers: revoked })).toMatchObject({
        status: 400,
        body: {
          failure: 'INVALID_CONSENT',
          message: expect.stringMatching(/^The consent has been REVOKED \(PARTNER\) since 2\d{3}-/),
        },
      })
    }
    const read = await sendRawRequest(gateway, ['GET', CONSENTS], { headers: revoked })
    expect(read).toMatchObject({ status: 200, body: { status: 'REVOKED', statusReason: 'PARTNER' } })
  })
})

test('requests of several partners in one shared statement each get their own consent only', async () => {
  const { client, credentials } = other
  const requested = {
    grant_type: 'client_credentials',
    scope: scopesByEnvironment.sandbox,
    client_id: credentials.clientId,
  }
  const { access_token } = await client.issueToken({ body: { ...requested, client_secret: credentials.clientSecret } })
  const own = headers['consent-id'] ?? ''
  const tokens = [headers['authorization'] ?? '', `Bearer ${access_token}`]
  const read = async (authorization: string, consentId: string) => {
    const { status, body } = await sendRawRequest(gateway, ['GET', CONSENTS], {
      headers: { authorization, 'consent-id': consentId },
    })
    return status === 200 ? Object(body).id : Object(body).failure
  }
  const rounds = Array.from({ length: 20 }, () => tokens.flatMap((token) => [own, theirs].map((id) => read(token, id))))
  const answers = await Promise.all(rounds.flat())
  expect(answers).toEqual(rounds.flatMap(() => [own, 'INVALID_CONSENT', 'INVALID_CONSENT', theirs]))
})
