/** Tests which calls are repeated, after how long, and with which key. */
import { afterEach, describe, expect, it } from 'vitest'
import { examplesByOperation } from '../contract/examples/examples-by-operation.ts'
import { createHavnClient, openClient } from './client.ts'
import type { HavnAttempt, HavnClientSettings } from './client-settings.ts'
import { HavnError } from './errors/havn-error.ts'
import type { DomesticPayment, HavnClient } from './index.ts'
import { platformRuntime } from './runtime.ts'
import { nextToken, type Script, type Scripted, type ScriptedGateway, scriptedGateway } from './scripted-gateway.ts'

const CREDENTIALS = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret', environment: 'sandbox' } as const
const consentId = '01a207a2-3280-7a4c-9123-b1612dd272d1'
const paymentId = '01a207a3-1ce0-7371-9c17-149d439536b3'
const psu = { ipAddress: '127.0.0.1', userAgent: 'Mozilla/5.0' } as const
const invoice = examplesByOperation.initiateDomesticPayment[0].body
const order = { consentId, psu, body: invoice }
const initiated = { status: 200, body: examplesByOperation.initiateDomesticPayment[0].answer }
const companies = { status: 200, body: [] }
const lostOrder = {
  name: 'HavnConnectionError',
  operation: 'initiateDomesticPayment',
  idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
}
let service: ScriptedGateway
let waits: number[] = []

afterEach(async () => {
  waits = []
  await service.close()
})

/** Answers with each response in turn, and then with the last one. `null` breaks the connection. */
async function answering(answers: readonly (Scripted | null)[], settings: Partial<HavnClientSettings> = {}) {
  service = await scriptedGateway(inTurn(answers))
  return client(settings)
}

function inTurn(answers: readonly (Scripted | null)[]): Script {
  let asked = 0
  return () => {
    const found = answers[Math.min(asked, answers.length - 1)]
    asked += 1
    return found ?? Promise.reject(new Error('The connection breaks'))
  }
}

function client(settings: Partial<HavnClientSettings> = {}): HavnClient {
  const wait = async (milliseconds: number, signal: AbortSignal | undefined) => {
    waits.push(milliseconds)
    signal?.throwIfAborted()
  }
  return openClient(
    { baseUrl: service.url, ...CREDENTIALS, ...settings },
    { ...platformRuntime, wait, random: () => 1 },
  )
}

const keys = () => service.requests.map(({ headers }) => headers['idempotency-key'])

describe('a call that is repeated', () => {
  it.each<readonly [string, Scripted | null]>([
    ['a broken connection', null],
    ['408', { status: 408 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
  ])('is a read after %s', async (_, failure) => {
    const havn = await answering([failure, companies])
    expect(await havn.listCompanies()).toEqual([])
    expect(service.requests).toHaveLength(2)
    expect(keys()).toEqual([undefined, undefined])
  })

  it.each<readonly [string, Scripted | null]>([
    ['a broken connection', null],
    ['429', { status: 429 }],
    ['502', { status: 502 }],
    ['503 that names no order', { status: 503, body: { message: 'The bank cannot be reached' } }],
    ['504', { status: 504 }],
  ])('is an order after %s, under one key of its own', async (_, failure) => {
    const havn = await answering([failure, failure, initiated])
    expect(await havn.initiateDomesticPayment(order)).toEqual(initiated.body)
    const [key] = keys()
    expect(key).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys()).toEqual([key, key, key])
  })

  it('keeps the key of the caller, and another call has another key', async () => {
    const havn = await answering([{ status: 503 }, initiated])
    await havn.initiateDomesticPayment({ ...order, idempotencyKey: 'INV-20455' })
    await havn.initiateDomesticPayment(order)
    await havn.initiateDomesticPayment(order)
    expect(keys().slice(0, 2)).toEqual(['INV-20455', 'INV-20455'])
    expect(new Set(keys()).size).toBe(3)
  })

  it('waits for the first attempt, whose response was lost and which is still in flight', async () => {
    const inFlight = { status: 409, body: { message: 'still running', paymentId } }
    const havn = await answering([null, inFlight, inFlight, initiated])
    expect(await havn.initiateDomesticPayment(order)).toEqual(initiated.body)
  })

  it('is a token request', async () => {
    const issue = nextToken()
    service = await scriptedGateway(
      () => companies,
      (request) => (service.tokenRequests.length === 1 ? { status: 503 } : issue(request)),
    )
    expect(await client().listCompanies()).toEqual([])
    expect(service.tokenRequests).toHaveLength(2)
  })
})

describe('a call that is not repeated', () => {
  const unknown = { message: 'The outcome is not known', paymentId }

  it.each<readonly [string, Scripted]>([
    ['503 that names a payment', { status: 503, body: unknown }],
    ['409 that names a payment', { status: 409, body: unknown }],
  ])('is an order after %s: its outcome is unknown', async (_, failure) => {
    const havn = await answering([failure, initiated])
    await expect(havn.initiateDomesticPayment(order)).rejects.toMatchObject({
      name: 'HavnUnknownOutcomeError',
      status: failure.status,
      paymentId,
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(service.requests).toHaveLength(1)
  })

  it.each([400, 403, 404, 409, 422, 500])('is an order after %d', async (status) => {
    const havn = await answering([{ status }, initiated])
    await expect(havn.initiateDomesticPayment(order)).rejects.toMatchObject({ status })
    expect(service.requests).toHaveLength(1)
  })

  it.each([400, 403, 404, 406, 409, 422])('is a read after %d', async (status) => {
    const havn = await answering([{ status }, companies])
    await expect(havn.listCompanies()).rejects.toMatchObject({ status })
    expect(service.requests).toHaveLength(1)
  })

  it('is one that changes something and takes no key, except after 429', async () => {
    const change = { params: { countryCode: 'NO', organizationNumber: '987654325' } }
    for (const failure of [null, { status: 502 }, { status: 503 }]) {
      const havn = await answering([failure, { status: 200, body: {} }])
      await expect(havn.activateSubscription(change)).rejects.toBeInstanceOf(HavnError)
      expect(service.requests).toHaveLength(1)
      await service.close()
    }
    const havn = await answering([{ status: 429 }, { status: 200, body: {} }])
    expect(await havn.activateSubscription(change)).toEqual({})
  })

  it.each([{ maxRetries: 0 }, {}])('is any with maxRetries 0, whose error has its key: %j', async (settings) => {
    const havn = await answering([null, initiated], settings)
    const options = 'maxRetries' in settings ? {} : { maxRetries: 0 }
    const error = await havn.initiateDomesticPayment({ ...order, ...options }).catch((thrown: unknown) => thrown)
    const [idempotencyKey] = keys()
    expect(idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
    expect(error).toMatchObject({ name: 'HavnConnectionError', idempotencyKey })
    expect(service.requests).toHaveLength(1)
  })

  it('is one whose token cannot be had: the token request has been repeated', async () => {
    service = await scriptedGateway(
      () => companies,
      () => ({ status: 503 }),
    )
    await expect(client({ maxRetries: 2 }).listCompanies()).rejects.toMatchObject({ operation: 'issueToken' })
    expect(service.tokenRequests).toHaveLength(3)
  })

  it('is an order whose response was lost, and for whose repetition there is no token: its own error has its key', async () => {
    const issue = nextToken()
    service = await scriptedGateway(inTurn([null, { status: 401 }]), (request) =>
      service.tokenRequests.length === 1 ? issue(request) : { status: 503 },
    )
    await expect(client().initiateDomesticPayment(order)).rejects.toMatchObject(lostOrder)
  })

  it.each<readonly [string, readonly (Scripted | null)[]]>([
    ['503', [{ status: 503 }, null, { status: 503 }]],
    ['a long Retry-After', [null, { status: 429, headers: { 'retry-after': '3600' } }]],
  ])('is an order whose response was lost before %s: nothing says that it was not ordered', async (_, answers) => {
    const havn = await answering(answers)
    await expect(havn.initiateDomesticPayment(order)).rejects.toMatchObject(lostOrder)
  })
})

describe('the delay', () => {
  it('doubles, has a limit, and its number too', async () => {
    const havn = await answering([{ status: 503 }], { maxRetries: 7 })
    await expect(havn.listCompanies()).rejects.toMatchObject({ name: 'HavnServerError', status: 503 })
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    expect(service.requests).toHaveLength(8)
  })

  it('is never shorter than Retry-After', async () => {
    const havn = await answering([{ status: 429, headers: { 'retry-after': '7' } }, companies])
    await havn.listCompanies()
    expect(waits).toEqual([7_000])
  })

  it('is left to the caller when the service asks for more than a minute', async () => {
    const havn = await answering([{ status: 429, headers: { 'retry-after': '3600' } }, companies])
    await expect(havn.listCompanies()).rejects.toMatchObject({ name: 'HavnRateLimitError', retryAfterSeconds: 3_600 })
    expect(waits).toEqual([])
  })

  it('ends when the caller aborts', async () => {
    const controller = new AbortController()
    const answered = Promise.withResolvers<void>()
    const failure = { status: 503, headers: { 'retry-after': '60' } }
    const settings = { onAttempt: ({ status }: HavnAttempt) => (status === 503 ? answered.resolve() : undefined) }
    await answering([failure])
    const havn = createHavnClient({ ...CREDENTIALS, baseUrl: service.url, ...settings })
    const call = havn.listCompanies({ signal: controller.signal })
    await answered.promise
    controller.abort(new Error('Enough'))
    await expect(call).rejects.toThrow('Enough')
    expect(service.requests).toHaveLength(1)
  })
})

describe('every attempt', () => {
  it('sends what the caller passed, whatever becomes of that afterwards', async () => {
    const havn = await answering([{ status: 503 }, initiated])
    const body = structuredClone<DomesticPayment>(invoice)
    const paid = havn.initiateDomesticPayment({ ...order, body })
    body.amount.amount = '99.00'
    await paid
    expect(service.requests.map((request) => JSON.parse(request.body))).toEqual([invoice, invoice])
  })

  it('is reported, without credentials or personal data, and succeeds whatever the report throws', async () => {
    const attempts: HavnAttempt[] = []
    const failure = { status: 503, headers: { 'svc-request-id': 'r-1' } }
    const success = { ...companies, headers: { 'svc-request-id': 'r-2', 'havn-warnings': 'dueDate' } }
    const onAttempt = (attempt: HavnAttempt) => {
      attempts.push(attempt)
      throw new Error('The log is full')
    }
    const havn = await answering([failure, success], { onAttempt })
    await havn.listCompanies()
    expect(attempts.map(({ milliseconds: _, ...rest }) => rest)).toEqual([
      { operation: 'issueToken', attempt: 1, status: 200 },
      { operation: 'listCompanies', attempt: 1, status: 503, svcRequestId: 'r-1', retryInMilliseconds: 500 },
      { operation: 'listCompanies', attempt: 2, status: 200, svcRequestId: 'r-2', warnings: 'dueDate' },
    ])
  })
})
