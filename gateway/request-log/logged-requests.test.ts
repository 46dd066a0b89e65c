/** Tests what of requests is stored in the request log, and whose it lists over the API, with filters, pages and details. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { listPartnersWithClients } from '../auth/list-partners.ts'
import { newId } from '../platform/ids.ts'
import { REDACTED } from '../platform/observability/log.ts'
import { storeRequests } from '../testing/console/stored-requests.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../testing/webhooks/enqueue-status-change.ts'
import { findRequestById } from './find-requests.ts'

const TIME_FORM =
  'must be a date and time with offset, for example 2026-11-23T09:00:00.000Z; in a URL, + is written %2B'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('what clients send in places of no operation', () => {
  const ALL = { partnerId: null, payrolls: true }

  /** A partner whose requests are in no other list. */
  let bearer: { readonly authorization: string; readonly 'content-type': string }
  beforeAll(async () => {
    const { client, credentials } = await gateway.otherPartner()
    const requested = { grant_type: 'client_credentials', scope: scopesByEnvironment.sandbox } as const
    const body = { ...requested, client_id: credentials.clientId, client_secret: credentials.clientSecret }
    const { access_token } = await client.issueToken({ body })
    bearer = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  })

  /** Sends a request, and returns what was logged of it. */
  async function logged(path: string, init: RequestInit) {
    const response = await fetch(`${gateway.url}${path}`, init)
    const id = response.headers.get('svc-request-id') ?? ''
    await gateway.context.requestLog.flush()
    return { id, found: await findRequestById(gateway.context, ALL, id) }
  }

  test('a query, path or header that no operation knows is not stored, nor in the log of the program', async () => {
    const secret = 'kari-nordmann'
    const headers = { ...bearer, 'x-secret': secret }
    const { found } = await logged(`/api/companies?userId=${secret}&client_secret=${secret}&q=${secret}`, { headers })
    expect(found?.path).toBe(`/api/companies?userId=${REDACTED}&client_secret=${REDACTED}&q=${REDACTED}`)
    await fetch(`${gateway.url}/api/unknown/${secret}?userId=${secret}`, { headers })
    await fetch(`${gateway.url}/console/payments?userId=${secret}`)
    expect(JSON.stringify(found)).not.toContain(secret)
    expect(gateway.logLines().join()).not.toContain(secret)
  })

  test('a payroll that is sent to another operation needs the payroll role as well, and shows no salary', async () => {
    const headers = { ...bearer, 'consent-id': newId(), 'psu-ip-address': '127.0.0.1', 'psu-user-agent': 'x' }
    const body = JSON.stringify({ transactions: [{ to: { contactInformation: { name: 'Anna' } } }], dueDate: 'Anna' })
    for (const path of ['/api/v2/payments', '/api/v2/consents', '/api/webhooks/subscription']) {
      const { id, found } = await logged(path, { method: 'POST', headers, body })
      expect([found?.isPayroll, JSON.stringify(found)], path).toEqual([true, expect.not.stringContaining('Anna')])
      expect(await findRequestById(gateway.context, { ...ALL, payrolls: false }, id), path).toBe(undefined)
    }
  })
})

describe('over the API', () => {
  const UNKNOWN = { in: 'body', path: '.due_date', nearest: 'dueDate' } as const

  let ids: readonly string[]
  beforeAll(async () => {
    ids = await storeRequests(gateway, await demoPartnerId(gateway), [
      { path: '/api/v2/payments', status: 200 },
      { path: '/api/v2/payments', status: 422, errorCodes: ['InvalidAmount'], unknownFields: [UNKNOWN] },
      { path: '/api/v2/banks/NO', status: 200, method: 'GET' },
      { path: '/api/v2/payroll', status: 500, isPayroll: true },
    ])
  })

  const [payment, rejected, banks, payroll] = [0, 1, 2, 3]
  type Query = NonNullable<NonNullable<Parameters<TestGateway['client']['listRequests']>[0]>['query']>
  /** The stored requests that are listed, by their number. */
  const listed = async (query: Query = {}, client = gateway.client) => {
    const { requests } = await client.listRequests({ query: { path: '/api/v2', ...query } })
    return requests.map(({ svcRequestId }) => ids.indexOf(svcRequestId))
  }

  describe('the request log', () => {
    it.each<[string, Query, readonly number[]]>([
      ['all, newest first', {}, [payroll, banks, rejected, payment]],
      ['by method', { method: 'GET' }, [banks]],
      ['by status', { status: '4xx' }, [rejected]],
      ['errors', { status: 'errors' }, [payroll, rejected]],
      ['by code', { errorCode: 'InvalidAmount' }, [rejected]],
      ['by path', { path: '/api/v2/payments' }, [rejected, payment]],
      ['since a time', { from: '2099-01-01T00:00:00Z' }, []],
      ['before 1970', { before: '1900-01-01T00:00:00Z' }, []],
    ])('lists requests: %s', async (_what, query, expected) => {
      expect(await listed(query)).toEqual(expected)
    })

    it('is read in pages', async () => {
      const query = { path: '/api/v2', limit: 3 }
      const first = await gateway.client.listRequests({ query })
      expect(first.requests).toHaveLength(3)
      const second = await gateway.client.listRequests({ query: { ...query, cursor: first.nextCursor ?? '' } })
      expect(second.requests.map(({ svcRequestId }) => svcRequestId)).toEqual([ids[payment]])
      expect(second.nextCursor).toBe(null)
    })

    it('has a request with its warnings and bodies', async () => {
      const found = await gateway.client.getRequest({ params: { svcRequestId: ids[rejected]?.toUpperCase() ?? '' } })
      expect(found).toMatchObject({ status: 422, errorCodes: ['InvalidAmount'], idempotencyKey: 'order-17' })
      expect(found.warnings).toEqual([{ code: 'UnknownField', ...UNKNOWN }])
      expect(JSON.parse(found.requestBody ?? '')).toEqual({ amount: { amount: '1250.00', currency: 'NOK' } })
    })

    it('shows a partner nothing of another one, and requests of payrolls only to credentials that may order them', async () => {
      const { client, credentials } = await gateway.otherPartner()
      expect(await listed({}, client)).toEqual([])
      const ofAnother = client.getRequest({ params: { svcRequestId: ids[payment] ?? '' } })
      await expect(ofAnother).rejects.toMatchObject({ status: 404 })
      const partners = await listPartnersWithClients(gateway.context)
      const own = partners.find(({ clients }) => clients.some(({ clientId }) => clientId === credentials.clientId))
      const [open, confidential] = await storeRequests(gateway, own?.partner.id ?? '', [{}, { isPayroll: true }])
      expect((await client.listRequests()).requests.map(({ svcRequestId }) => svcRequestId)).toEqual([open])
      const ofPayroll = client.getRequest({ params: { svcRequestId: confidential ?? '' } })
      await expect(ofPayroll).rejects.toMatchObject({ status: 404 })
    })

    it('does not list its own reads', async () => {
      await gateway.client.listRequests()
      await gateway.client.listBanks({ params: { countryCode: 'NO' } })
      await gateway.context.requestLog.flush()
      const { requests } = await gateway.client.listRequests()
      expect(requests[0]?.path).toBe('/api/v2/banks/NO')
      expect(requests.filter(({ path }) => path.startsWith('/api/requests'))).toEqual([])
    })

    it.each([
      ['path', 'payments', 'must begin with a slash'],
      ['cursor', 'x', 'cursor'],
      ['limit', '501', 'limit'],
      // URLSearchParams writes a blank as a plus: a time whose plus is not encoded.
      ['from', '2026-11-23T10:00:00 01:00', `:"from ${TIME_FORM}"`],
    ])('rejects a wrong %s', async (name, value, message) => {
      const headers = { authorization: `Bearer ${await gateway.token()}` }
      const response = await gateway.fetch(`/api/requests?${new URLSearchParams({ [name]: value })}`, { headers })
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)])
    })
  })
})
