/** Tests that unknown fields are ignored, reported in a header and in the request log, and rejected on request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countSideEffects, sendRawRequest, UNKNOWN_ID, validHeaders } from './testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from './testing/payments/sample-payments.ts'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
})
afterAll(() => gateway.close())

const STRICT = { prefer: 'respond-async, handling=strict, errors=detailed' }
type Body = Readonly<Record<string, unknown>>
const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
  sendRawRequest(gateway, ['POST', path], { headers: { ...headers, ...more }, body })
const get = (path: string, more: Record<string, string> = {}) =>
  sendRawRequest(gateway, ['GET', path], { headers: { ...headers, ...more } })
const misspelt = (endToEndId: string): Body => {
  const { metadata, from, ...order } = domesticPayment(gateway)
  const sent = {
    ...order,
    due_date: order.dueDate,
    metadata: { endToEndId },
    from: { ...from, organisationNumber: '9' },
  }
  return { ...sent, 'Kari Nordmann': '01815012345' }
}
const WARNINGS =
  'UnknownField;path=".due_date";nearest="dueDate", ' +
  'UnknownField;path=".from.organisationNumber";nearest="organizationNumber", UnknownField;path=".?"'

describe('unknown fields', () => {
  test('are ignored, not stored, and reported with the nearest known name', async () => {
    const answer = await post('/api/v2/payments', misspelt('warned-1'))
    expect([answer.status, answer.headers.get('havn-warnings')]).toEqual([200, WARNINGS])
    expect(answer.headers.get('preference-applied')).toBe(null)
    const { rows } = await gateway.context.database.pool.query('select ordered from payments where id = $1', [
      Object(answer.body).paymentId,
    ])
    expect(rows).toEqual([{ ordered: expect.not.stringMatching(/due_date|organisationNumber|Kari/) }])
    await gateway.context.requestLog.flush()
    const logged = await gateway.client.getRequest({
      params: { svcRequestId: answer.headers.get('svc-request-id') ?? '' },
    })
    expect(logged.warnings).toEqual([
      { code: 'UnknownField', in: 'body', path: '.due_date', nearest: 'dueDate' },
      { code: 'UnknownField', in: 'body', path: '.from.organisationNumber', nearest: 'organizationNumber' },
      { code: 'UnknownField', in: 'body', path: '.?', nearest: null },
    ])
  })

  test('are reported of a request without fault only where there are any', async () => {
    const answer = await post('/api/v2/payments', { ...domesticPayment(gateway), metadata: { endToEndId: 'clean' } })
    expect([answer.status, answer.headers.get('havn-warnings')]).toEqual([200, null])
  })

  test.each<[string, () => ReturnType<typeof get>, number, string]>([
    ['an invalid body', () => post('/api/v2/payments', { due_date: 1 }), 422, 'path=".due_date";nearest="dueDate"'],
    [
      'a payroll',
      () => post('/api/v2/payroll', { transactions: [{}, { Name: 'x' }, { Name: 'y' }] }),
      422,
      'path=".transactions[1].Name"',
    ],
    ['a form', () => postForm({ clientid: 'x' }), 400, 'path=".clientid";nearest="client_id"'],
    [
      'JSON that is sent as a form',
      () => postForm({ '{"client_secret":"hidden"}': '' }),
      400,
      'UnknownField;path=".?"',
    ],
    ['a query', () => get('/api/v2/payments?statuses=x&limit=1'), 200, 'in="query";path=".statuses";nearest="status"'],
    ['a path', () => get(`/api/v2/payments/${UNKNOWN_ID}?limit=1`), 404, 'in="query";path=".limit"'],
    ['an error of a webhook', () => post('/api/webhooks/subscription', { url: 'x' }), 400, 'path=".url"'],
    ['an error of the exchange', () => post('/api/fx/payments', { Amount: '1' }), 400, 'nearest="amount"'],
    ['a 401', () => get('/api/companies?page=2', { authorization: 'Bearer x' }), 401, 'in="query";path=".page"'],
  ])('are reported with %s', async (_what, send, status, warning) => {
    const answer = await send()
    expect([answer.status, answer.headers.get('havn-warnings')]).toEqual([status, expect.stringContaining(warning)])
    expect(answer.headers.get('havn-warnings')).toMatch(/^[\x20-\x7e]{1,4000}$/)
  })
})

function postForm(fields: Record<string, string>) {
  const body = new URLSearchParams(fields).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return sendRawRequest(gateway, ['POST', '/v2/connect/token'], { headers: type, body })
}

describe('under Prefer: handling=strict', () => {
  test('unknown fields are rejected with all other errors, in the order of the body, and nothing is ordered', async () => {
    const before = await countSideEffects(gateway)
    const body = { ...misspelt('strict-1'), amount: { amount: '1,5', currency: 'NOK' } }
    const answer = await post('/api/v2/payments', body, { ...STRICT, 'idempotency-key': 'strict-1' })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([422, 'handling=strict, errors=detailed'])
    expect(answer.headers.get('havn-warnings')).toBe(WARNINGS)
    const unknown = (path: string, message: string) => ({
      code: 'InvalidRequest',
      path,
      message,
      reason: message,
      rule: 'additionalProperties',
    })
    const advice = 'remove it, or send the request without Prefer: handling=strict'
    expect(answer.body).toMatchObject([
      unknown('.?', `The name of a field is not shown, because it may be a value: ${advice}`),
      { code: 'InvalidAmount', path: '.amount.amount' },
      unknown('.due_date', 'There is no field due_date: use dueDate'),
      unknown('.from.organisationNumber', 'There is no field from.organisationNumber: use organizationNumber'),
    ])
    expect(JSON.stringify(answer.body)).not.toMatch(/Kari|01815012345/)
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('a request without unknown fields is carried out', async () => {
    const order = { ...domesticPayment(gateway), metadata: { endToEndId: 'strict-2' } }
    const answer = await post('/api/v2/payments', order, { prefer: 'handling="strict"; x=1' })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'handling=strict'])
  })

  test.each<[string, () => ReturnType<typeof get>, number, string]>([
    [
      'a payroll',
      () => post('/api/v2/payroll', { transactions: [{ Name: 'x' }] }, STRICT),
      422,
      '.transactions[0].Name',
    ],
    ['a query', () => get('/api/v2/payments?statuses=x', STRICT), 422, '.statuses'],
    ['a query of a request with a body', () => post('/api/v2/payments/approve?dry=1', {}, STRICT), 422, '.dry'],
    ['an envelope', () => post('/api/webhooks/subscription', { url: 'x' }, STRICT), 400, '.url'],
    ['a parsing error', () => post('/api/fx/payments', { Amount: '1' }, STRICT), 400, '.Amount'],
  ])('is rejected in the form of the operation: %s', async (_what, send, status, path) => {
    const answer = await send()
    const errors: readonly Body[] = Array.isArray(answer.body) ? answer.body : Object(answer.body).errors
    expect(answer.status).toBe(status)
    expect(errors).toContainEqual(expect.objectContaining({ path, rule: 'additionalProperties' }))
  })

  test('a rejection is no answer to the same request without the preference', async () => {
    const requests: readonly (readonly [path: string, body: Body])[] = [
      ['/api/v2/payments', misspelt('strict-3')],
      ['/api/webhooks/subscription', { url: 'x' }],
      ['/api/fx/payments', { Amount: '1' }],
    ]
    for (const [path, body] of requests) {
      const key = { 'idempotency-key': 'strict-3' }
      const rejected = await post(path, body, { ...key, ...STRICT })
      expect(JSON.stringify(rejected.body)).toContain('additionalProperties')
      const repeated = await post(path, body, key)
      expect([path, repeated.headers.get('idempotent-replayed')]).toEqual([path, null])
    }
  })

  test('an operation without fields and parameters has nothing to be strict about', async () => {
    const answer = await get('/api/companies?page=2', STRICT)
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null])
    expect(answer.headers.get('havn-warnings')).toContain('.page')
  })

  test.each(['handling=lenient', 'handling=lenient, handling=strict', 'strict', 'xhandling=strict', 'return=minimal'])(
    'is not asked for by %s',
    async (prefer) => {
      expect((await get('/api/v2/payments?statuses=x', { prefer })).status).toBe(200)
    },
  )
})
