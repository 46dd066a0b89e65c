/** Tests which requests are logged with what, who finds them, and when they are deleted. */
import { importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { ACCESS_TOKEN_TYPE, openTokenKey, SECRET_CLAIM, TOKEN_ALGORITHM } from '../auth/token-key.ts'
import { listTokenKeys } from '../auth/token-key-store.ts'
import { lowestIdAt, newId } from '../platform/ids.ts'
import { REDACTED } from '../platform/observability/log.ts'
import { storeRequests } from '../testing/console/stored-requests.ts'
import { nodesReading } from '../testing/database/query-plan.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'
import { demoPartnerId } from '../testing/webhooks/enqueue-status-change.ts'
import { findRequestById, findRequests, findRequestThatCreated } from './find-requests.ts'
import type { RequestFilter } from './logged-request.ts'
import { openRequestLog } from './request-log.ts'
import { requestLogRetentionSweep } from './request-log-retention.ts'
import { searchQuery } from './request-log-store.ts'

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  partnerId = await demoPartnerId(gateway)
})
afterAll(() => gateway.close())

const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.context.database.pool.query(text, values)).rows

const ALL: RequestFilter = {
  partnerId: null,
  payrolls: true,
  method: undefined,
  statusClass: undefined,
  path: undefined,
  errorCode: undefined,
  fromId: undefined,
  beforeId: undefined,
}

const find = async (filter: Partial<RequestFilter> = {}, limit = 50) => {
  await gateway.context.requestLog.flush()
  return await findRequests(gateway.context, { ...ALL, ...filter }, limit)
}

/** Sends a request, and returns what was logged of it. */
async function logged(path: string, init: RequestInit = {}) {
  const response = await gateway.fetch(path, init)
  const id = response.headers.get('svc-request-id') ?? ''
  await gateway.context.requestLog.flush()
  return { id, found: await findRequestById(gateway.context, ALL, id) }
}

const bearer = async () => ({ authorization: `Bearer ${await gateway.token()}`, 'content-type': 'application/json' })

describe('a request', () => {
  test('is logged with its response, and found from the payment that it created', async () => {
    const { consentId } = await acceptedConsent(gateway)
    const headers = {
      ...(await bearer()),
      'consent-id': consentId,
      'psu-ip-address': PSU.ipAddress,
      'psu-user-agent': PSU.userAgent,
      'idempotency-key': 'order-17',
    }
    const body = domesticPayment(gateway)
    const { id, found } = await logged('/api/v2/payments', { method: 'POST', headers, body: JSON.stringify(body) })
    const { paymentId } = JSON.parse(found?.responseBody ?? '')
    expect(found).toMatchObject({
      partnerId,
      clientId: 'demo-partner',
      method: 'POST',
      path: '/api/v2/payments',
      status: 200,
      errorCodes: [],
      isPayroll: false,
      subject: { type: 'payment', id: paymentId },
      idempotencyKey: 'order-17',
      headers: { 'consent-id': consentId },
    })
    expect(JSON.parse(found?.requestBody ?? '')).toEqual(body)
    expect(found?.milliseconds).toBeGreaterThan(0)
    expect(JSON.stringify(found)).not.toContain(headers.authorization)
    expect((await findRequestThatCreated(gateway.context, { partnerId, id: paymentId }))?.id).toBe(id)
    await gateway.fetch(`/api/v2/payments/${paymentId}`, { headers })
    expect((await findRequestThatCreated(gateway.context, { partnerId, id: paymentId }))?.id).toBe(id)
    const foreign = { partnerId: newId(), id: paymentId }
    expect(await findRequestThatCreated(gateway.context, foreign)).toBe(undefined)
  })

  test('that is rejected has the codes and paths, whatever rejected it', async () => {
    const headers = await bearer()
    const post = (path: string, body: string) => logged(path, { method: 'POST', headers, body })
    const cases = [
      await post('/api/v2/payments', '{'),
      await post('/api/v2/remittance/validate', JSON.stringify({ type: 'kid' })),
      await logged('/api/v2/payments/x', { headers }),
      await logged('/api/v2/accounts', { headers: { ...headers, 'consent-id': newId() } }),
    ]
    expect(cases.map(({ found }) => [found?.status, found?.path, found?.errorCodes])).toEqual([
      [400, '/api/v2/payments', ['InvalidJsonRequest']],
      [422, '/api/v2/remittance/validate', ['InvalidRequest']],
      [404, `/api/v2/payments/${REDACTED}`, ['NotFound']],
      [400, '/api/v2/accounts', ['INVALID_CONSENT']],
    ])
    const [unreadable, invalid] = cases
    expect(unreadable?.found?.responseBody).toContain('not valid JSON')
    expect(JSON.parse(invalid?.found?.responseBody ?? '')[0].path).toMatch(/^\./)
  })

  test('with an expired token is logged for its client, and one with a forged token is not', async () => {
    const [stored] = await listTokenKeys(gateway.context.database)
    const { kid, privateKey } = await openTokenKey(gateway.context, stored as NonNullable<typeof stored>)
    const seconds = Math.floor(gateway.context.clock.real().epochMilliseconds / 1000)
    const claims = {
      iss: gateway.config.authUrl,
      aud: scopesByEnvironment.sandbox,
      sub: 'demo-partner',
      [SECRET_CLAIM]: 1,
      iat: seconds - 9,
    }
    const sign = (key: typeof privateKey) =>
      new SignJWT({ ...claims, exp: seconds - 5 })
        .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid, typ: ACCESS_TOKEN_TYPE })
        .sign(key)
    const call = (token: string) => logged('/api/companies', { headers: { authorization: `Bearer ${token}` } })
    const { found } = await call(await sign(privateKey))
    expect([found?.status, found?.clientId]).toEqual([401, 'demo-partner'])
    expect(found?.responseBody).toContain('expired')
    const foreign = await importJWK(
      {
        kty: 'OKP',
        crv: 'Ed25519',
        d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      },
      TOKEN_ALGORITHM,
    )
    expect((await call(await sign(foreign as typeof privateKey))).found).toBe(undefined)
  })

  test('for a token is logged for the client that it names, without the secret and the token', async () => {
    // The client is looked up after the response, and the request is recorded then.
    const post = async (secret: string) => {
      const { id } = await logged('/v2/connect/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          scope: scopesByEnvironment.sandbox,
          client_id: 'demo-partner',
          client_secret: secret,
        }),
      })
      return await eventually(async () => {
        await gateway.context.requestLog.flush()
        return (await findRequestById(gateway.context, ALL, id)) ?? expect.fail('It is not logged')
      })
    }
    const rejected = await post('wrong-secret')
    const issued = await post('demo-partner-secret')
    expect([rejected.status, rejected.errorCodes]).toEqual([401, ['invalid_client']])
    expect([issued.status, JSON.parse(issued.responseBody ?? '').access_token]).toEqual([200, REDACTED])
    expect(JSON.stringify([rejected, issued])).not.toMatch(/wrong-secret|demo-partner-secret/)
  })

  test('of a payroll is marked as such, and shows no salary', async () => {
    const headers = { ...(await bearer()), 'consent-id': newId(), 'psu-ip-address': '127.0.0.1', 'psu-user-agent': 'x' }
    const body = JSON.stringify({ transactions: [{ to: { contactInformation: { name: 'Anna' } } }] })
    const { id, found } = await logged('/api/v2/payroll', { method: 'POST', headers, body })
    expect([found?.isPayroll, found?.requestBody]).toEqual([true, expect.not.stringContaining('Anna')])
    expect(await findRequestById(gateway.context, { partnerId, payrolls: false }, id)).toBe(undefined)
    expect((await find({ payrolls: false })).requests.map((each) => each.id)).not.toContain(id)
    expect((await find({ payrolls: true })).requests.map((each) => each.id)).toContain(id)
  })

  test.each(['/api/sandbox/clock', '/healthz', '/openapi.json', '/console/payments', '/api/unknown'])(
    'of %s is not logged',
    async (path) => {
      const response = await fetch(`${gateway.url}${path}`, { headers: await bearer() })
      await gateway.context.requestLog.flush()
      const id = response.headers.get('svc-request-id') ?? ''
      expect(await findRequestById(gateway.context, ALL, id)).toBe(undefined)
    },
  )

  test('is not logged by a log that is switched off', async () => {
    const off = openRequestLog({ ...gateway.context, config: { requestLog: false } })
    const [before] = await sql('select count(*) from request_log')
    off.record({ caller: { partnerId, clientId: 'x' } } as Parameters<typeof off.record>[0])
    await off.flush()
    expect(await sql('select count(*) from request_log')).toEqual([before])
  })
})

describe('a search', () => {
  test('goes on where it ended, by status, path, code and time', async () => {
    const other = newId()
    await sql(`insert into partners (id, name, created_at) values ($1, 'Searched', now())`, [other])
    const ids = await storeRequests(gateway, other, [
      { status: 200 },
      { status: 404, path: '/api/v2/payments/1' },
      { status: 422, errorCodes: ['InvalidAmount', 'InvalidRequest'] },
      { status: 503, method: 'GET' },
    ])
    const idsOf = async (filter: Partial<RequestFilter>) =>
      (await find({ partnerId: other, ...filter })).requests.map(({ id }) => ids.indexOf(id))
    expect(await idsOf({})).toEqual([3, 2, 1, 0])
    expect(await idsOf({ statusClass: 'errors' })).toEqual([3, 2, 1])
    expect(await idsOf({ statusClass: '4xx' })).toEqual([2, 1])
    expect(await idsOf({ statusClass: '2xx' })).toEqual([0])
    expect(await idsOf({ path: '/api/v2/payments/' })).toEqual([1])
    expect(await idsOf({ errorCode: 'InvalidRequest' })).toEqual([2])
    expect(await idsOf({ method: 'GET' })).toEqual([3])
    expect(await idsOf({ fromId: ids[1], beforeId: ids[3] })).toEqual([2, 1])
    const first = await find({ partnerId: other }, 3)
    expect([first.requests.length, first.next]).toEqual([3, ids[1]])
    expect((await find({ partnerId: other, beforeId: first.next }, 3)).next).toBe(undefined)
  })

  test.each<[filter: Partial<RequestFilter>, index: string]>([
    [{ path: '/api/v2/payments' }, 'request_log_pkey'],
    [{ statusClass: '5xx' }, 'request_log_errors'],
    [{ errorCode: 'InvalidAmount' }, 'request_log_errors'],
  ])('for %j reads %s, as far as its limit', async (filter, index) => {
    const text = searchQuery({ ...ALL, beforeId: newId(), ...filter }, { rows: 50, readPerPartner: 500 })
    const { sql: query, parameters } = text.compile(gateway.context.database.query)
    const [plan] = await sql(`explain (analyze, format json) ${query}`, [...parameters])
    const nodes = nodesReading('request_log', plan['QUERY PLAN'][0].Plan)
    expect(nodes.map((node) => Object(node)['Index Name'])).toEqual([index])
  })
})

describe('retention', () => {
  const daysAgo = (days: number) => lowestIdAt(gateway.context.clock.real().subtract({ hours: 24 * days }))
  const sizes = () => sql('select partner_id, bytes from request_log_sizes')

  async function purge(config = gateway.config): Promise<number> {
    const sweep = requestLogRetentionSweep({ ...gateway.context, config })
    let deleted = 0
    for (let count = -1; count !== 0; deleted += count) {
      count = await sweep.run(50)
    }
    return deleted
  }

  test('deletes requests after 30 days, and what is too much from the partner that stores most', async () => {
    await sql('delete from request_log')
    await sql('delete from request_log_sizes')
    const [large, small] = [newId(), newId()]
    const ids = await storeRequests(gateway, large, [
      { id: daysAgo(31) },
      { id: daysAgo(29) },
      { requestBody: 'x'.repeat(1_000_000) },
      { requestBody: 'x'.repeat(500_000) },
    ])
    await storeRequests(gateway, small, [{}, { id: daysAgo(32) }])
    expect(await purge()).toBe(2)
    const left = (await sql('select id from request_log where partner_id = $1 order by id', [large])).map(
      ({ id }) => id,
    )
    expect(left).toEqual(ids.slice(1))
    expect(await purge({ ...gateway.config, requestLogMegabytesMax: 1 })).toBe(3)
    expect(await sql('select partner_id from request_log')).toEqual([{ partner_id: small }])
    expect((await sizes()).find(({ partner_id }) => partner_id === large)?.bytes).toBe(0n)
  })
})
