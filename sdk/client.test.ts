/** Tests that every operation is called as its contract entry defines, and that errors are parsed. */
import { afterEach, describe, expect, it } from 'vitest'
import { examplesByOperation } from '../contract/examples/examples-by-operation.ts'
import { dollarOrder } from '../contract/examples/fx.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import type { Call } from './call.ts'
import { createHavnClient, type HavnClient } from './client.ts'
import { type Scripted, type ScriptedGateway, scriptedGateway } from './scripted-gateway.ts'
import { HAVN_CLIENT_VERSION } from './version.ts'

const consentId = '01a207a2-3280-7a4c-9123-b1612dd272d1'
const paymentId = '01a207a3-1ce0-7371-9c17-149d439536b3'
const psu = { ipAddress: '127.0.0.1', userAgent: 'Mozilla/5.0', headers: { 'PSU-Accept-Language': 'nb' } } as const
const invoice = examplesByOperation.initiateDomesticPayment[0].body
let service: ScriptedGateway

afterEach(() => service.close())

async function answering(scripted: Scripted): Promise<HavnClient> {
  service = await scriptedGateway(() => scripted)
  return client()
}

function client(settings: { userAgent?: string; timeoutSeconds?: number } = {}): HavnClient {
  return createHavnClient({
    baseUrl: `${service.url}/`,
    clientId: 'demo-partner',
    clientSecret: 'demo-partner-secret',
    environment: 'sandbox',
    maxRetries: 0,
    ...settings,
  })
}

describe('the client', () => {
  const calls = Object.values<Operation>(operations).filter(({ id }) => id !== 'issueToken')

  it.each(calls)('calls $id and returns the response', async (entry) => {
    const example = Object.entries(examplesByOperation).find(([id]) => id === entry.id)?.[1][0]
    const parts: Readonly<Record<string, unknown>> = { ...example }
    const havn = await answering({ status: entry.answer.status, body: parts['answer'] })
    // Found by name, a method has lost its own type.
    const method = Object.entries(havn).find(([id]) => id === entry.id)?.[1] as (call: Call) => Promise<unknown>
    const answer = await method({ ...example, consentId, psu, idempotencyKey: 'key-1' })
    expect(answer).toEqual(parts['answer'])
    const [received] = service.requests
    const [path] = (received?.url ?? '').split('?')
    expect(received?.method).toBe(entry.method)
    expect(path).toBe(entry.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(Object(parts['params'])[name])))
    expect(received?.body).toBe(entry.body === undefined ? '' : JSON.stringify(parts['body']))
    expect(received?.headers.authorization).toBe(entry.admits === 'anyone' ? undefined : 'Bearer token-1')
  })

  it('requires by its types the inputs of an operation', async () => {
    const havn = await answering({ status: 200, body: {} })
    const order = { consentId, psu, body: invoice }
    await havn.initiateDomesticPayment(order)
    // @ts-expect-error -- a payment requires a consent
    await havn.initiateDomesticPayment({ psu, body: invoice })
    // @ts-expect-error -- and a user session
    await havn.initiateDomesticPayment({ consentId, body: invoice })
    // @ts-expect-error -- and an amount that is a string
    await havn.initiateDomesticPayment({ ...order, body: { ...invoice, amount: { amount: 1, currency: 'NOK' } } })
    // @ts-expect-error -- a read has no idempotency key
    await havn.listCompanies({ idempotencyKey: 'key-1' })
    // @ts-expect-error -- a token request has no consent
    await havn.listAccounts({})
    expect(service.requests).toHaveLength(6)
  })

  it('issues a token on demand, without using one', async () => {
    service = await scriptedGateway(() => ({ status: 500 }))
    const token = await client().issueToken({ body: examplesByOperation.issueToken[0].body })
    expect(token.access_token).toBe('token-1')
    expect(service.tokenRequests[0]?.headers.authorization).toBeUndefined()
    await client().issueToken(Object({ body: { grant_type: 'client_credentials', client_secret: undefined } }))
    expect(service.tokenRequests[1]?.body).toBe('grant_type=client_credentials')
  })

  it('sends consent, session and key as headers', async () => {
    const havn = await answering({ status: 200, body: { paymentId } })
    await havn.initiateDomesticPayment({ consentId, psu, idempotencyKey: 'key-1', body: invoice })
    expect(service.requests[0]?.headers).toMatchObject({
      'consent-id': consentId,
      'psu-ip-address': '127.0.0.1',
      'psu-user-agent': 'Mozilla/5.0',
      'psu-accept-language': 'nb',
      'idempotency-key': 'key-1',
      'content-type': 'application/json',
      accept: 'application/json',
      prefer: 'errors=detailed',
      'user-agent': `havn-client-typescript/${HAVN_CLIENT_VERSION}`,
    })
  })

  it('sends no PSU headers for an absent user', async () => {
    const havn = await answering({ status: 200, body: { accounts: [] } })
    await havn.listAccounts({ consentId })
    const names = Object.keys(service.requests[0]?.headers ?? {})
    expect(names.filter((name) => name.startsWith('psu-'))).toEqual([])
  })

  it('sends the name of the program in front of its own', async () => {
    service = await scriptedGateway(() => ({ status: 200, body: [] }))
    await client({ userAgent: 'my-erp/7' }).listCompanies()
    expect(service.requests[0]?.headers['user-agent']).toBe(`my-erp/7 havn-client-typescript/${HAVN_CLIENT_VERSION}`)
  })

  it('encodes path and query parameters, and omits absent ones', async () => {
    const havn = await answering({ status: 200, body: {} })
    await havn.getAccountBalance({ consentId, params: { accountId: 'NO12/34 ?#æ%2F' } })
    await havn.listPayments({ query: { endToEndId: 'a&b=c+d', updatedSince: '2026-11-21T12:00:00+01:00', limit: 5 } })
    await havn.listPayments()
    // The cursor of the last page is null.
    await havn.listPayments(Object({ query: { cursor: null, limit: undefined } }))
    expect(service.requests.map(({ url }) => url)).toEqual([
      '/api/v2/accounts/NO12%2F34%20%3F%23%C3%A6%252F/balance',
      '/api/v2/payments?endToEndId=a%26b%3Dc%2Bd&updatedSince=2026-11-21T12%3A00%3A00%2B01%3A00&limit=5',
      '/api/v2/payments',
      '/api/v2/payments',
    ])
  })

  it.each(['', '.', '..'])('rejects the id %j, which would address another path', async (accountId) => {
    const havn = await answering({ status: 200, body: {} })
    await expect(havn.getAccountBalance({ consentId, params: { accountId } })).rejects.toThrow(TypeError)
    expect(service.requests).toEqual([])
  })

  it('returns undefined if there is no body', async () => {
    const havn = await answering({ status: 204 })
    expect(await havn.revokeConsent({ consentId, psu })).toBeUndefined()
  })

  it('does not follow redirects', async () => {
    const havn = await answering({ status: 307, headers: { location: '/elsewhere' } })
    await expect(havn.listCompanies()).rejects.toMatchObject({ status: 307 })
    expect(service.requests).toHaveLength(1)
  })

  it('aborts a call by its signal', async () => {
    const reached = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<Scripted>()
    service = await scriptedGateway(() => {
      reached.resolve()
      return gate.promise
    })
    const controller = new AbortController()
    const call = client().listCompanies({ signal: controller.signal })
    await reached.promise
    controller.abort(new Error('Enough'))
    await expect(call).rejects.toThrow('Enough')
    gate.resolve({ status: 200, body: [] })
  })

  it('aborts a call after the timeout', async () => {
    const gate = Promise.withResolvers<Scripted>()
    service = await scriptedGateway(() => gate.promise)
    await expect(client().listCompanies({ timeoutSeconds: 0.05 })).rejects.toMatchObject({
      name: 'HavnTimeoutError',
      code: 'TimedOut',
      message: 'listCompanies had no response within 0.05 seconds',
    })
    gate.resolve({ status: 200, body: [] })
  })
})

describe('a failure', () => {
  it('has code, message and request id', async () => {
    const body = { failure: 'ACCESS_DENIED', svcRequestId: 'r-1', message: 'The account is not on this consent' }
    const havn = await answering({ status: 400, body })
    await expect(havn.initiateDomesticPayment({ consentId, psu, body: invoice })).rejects.toMatchObject({
      name: 'HavnRejectedError',
      operation: 'initiateDomesticPayment',
      code: 'ACCESS_DENIED',
      status: 400,
      failure: 'ACCESS_DENIED',
      message: 'The account is not on this consent',
      svcRequestId: 'r-1',
      validationErrors: [],
    })
  })

  it('has every validation error, and the request id of the header', async () => {
    const validationErrors = [
      { code: 'InvalidAmount', reason: 'must be above zero', path: '.amount.amount' },
      { code: 'FromTheFuture', reason: 'is not known yet', path: '.dueDate' },
    ]
    const havn = await answering({ status: 422, body: validationErrors, headers: { 'svc-request-id': 'r-2' } })
    await expect(havn.initiateDomesticPayment({ consentId, psu, body: invoice })).rejects.toMatchObject({
      status: 422,
      svcRequestId: 'r-2',
      validationErrors,
      message: '.amount.amount: must be above zero (InvalidAmount); .dueDate: is not known yet (FromTheFuture)',
    })
  })

  it('has the parsing error, if the service returns only that', async () => {
    const body = { code: 'MissingField', reason: 'is required', path: '.from.bic' }
    const havn = await answering({ status: 400, body })
    await expect(havn.quoteExchange({ body: dollarOrder })).rejects.toMatchObject({
      status: 400,
      validationErrors: [body],
      message: '.from.bic: is required (MissingField)',
    })
  })

  it('has the reason of a plain-text error', async () => {
    const havn = await answering({ status: 403, body: 'The company is not onboarded' })
    await expect(havn.quoteExchange({ body: dollarOrder })).rejects.toMatchObject({
      status: 403,
      message: 'The company is not onboarded',
      validationErrors: [],
    })
    await expect(havn.listCurrencies()).rejects.toMatchObject({ message: 'The service answered HTTP 403' })
  })

  it.each([503, 409])(
    'with status %i names the payment with the unknown outcome, and is not retried',
    async (status) => {
      const havn = await answering({
        status,
        body: { svcRequestId: 'r-3', message: 'The outcome is not known', paymentId },
        headers: { 'retry-after': '30' },
      })
      await expect(havn.initiateDomesticPayment({ consentId, psu, body: invoice })).rejects.toMatchObject({
        status,
        paymentId,
        retryAfterSeconds: 30,
      })
      expect(service.requests).toHaveLength(1)
    },
  )

  it('has the payroll whose outcome is unknown', async () => {
    const [{ body }] = examplesByOperation.initiatePayroll
    const payrollId = paymentId
    const havn = await answering({ status: 503, body: { svcRequestId: 'r-3', message: 'Not known', payrollId } })
    await expect(havn.initiatePayroll({ consentId, psu, body })).rejects.toMatchObject({ status: 503, payrollId })
  })

  it('has the first of many errors in its message, and all of them in its property', async () => {
    const [{ body }] = examplesByOperation.initiatePayroll
    const validationErrors = Array.from({ length: 1_001 }, (_, n) => ({
      code: 'InvalidRequest',
      reason: 'is wrong',
      path: `.t[${n}]`,
    }))
    const havn = await answering({ status: 422, body: validationErrors })
    await expect(havn.initiatePayroll({ consentId, psu, body })).rejects.toMatchObject({
      validationErrors,
      message: expect.stringMatching(/^\.t\[0\]: is wrong .*\.t\[19\]: is wrong \(InvalidRequest\); and 981 more$/),
    })
  })

  it.each([
    ['a page of a proxy', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['an empty body', { status: 502 }],
    ['JSON of another format', { status: 502, body: [1, null] }],
  ])('is readable although the response is %s', async (_, scripted) => {
    const havn = await answering(scripted)
    await expect(havn.listCompanies()).rejects.toMatchObject({ name: 'HavnServerError', status: 502, code: 'Http502' })
  })

  it('has the key of an order whose response cannot be read', async () => {
    const havn = await answering({ status: 200, body: '{"paymentId":"01a2' })
    await expect(havn.initiateDomesticPayment({ consentId, psu, body: invoice })).rejects.toMatchObject({
      name: 'HavnResponseError',
      code: 'MalformedResponse',
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('of the network has its reason', async () => {
    const havn = await answering({ status: 200, body: [] })
    await service.close()
    await expect(havn.listCompanies()).rejects.toMatchObject({
      name: 'HavnConnectionError',
      operation: 'issueToken',
      code: 'ConnectionFailed',
      message: expect.stringMatching(/^issueToken had no response: .*ECONNREFUSED/),
    })
  })
})
