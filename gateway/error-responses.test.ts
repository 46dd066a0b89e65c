/** Tests errors: each has a request id and the right attribution, and each form extends its documented body by the same fields. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../contract/errors/error-catalogue.ts'
import { type Answer, sendRawRequest, UNKNOWN_ID, validHeaders } from './testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from './testing/payments/sample-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('the response to any URL', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/
  const INNARDS = /\bat .*\.ts|node_modules|FST_|PostgreSQL|syntax for type/
  const SIGNING = `/signing/${UNKNOWN_ID}/${UNKNOWN_ID}`
  const HINT = `/hints/payments/${UNKNOWN_ID}/${UNKNOWN_ID}`
  const FORM = 'application/x-www-form-urlencoded'

  const faults = () => gateway.logLines().filter((line) => /"level":(50|60)/.test(line))

  async function ask(method: string, path: string, body?: string, type = FORM) {
    const sent = body === undefined ? {} : { body, headers: { 'content-type': type } }
    const response = await gateway.fetch(path, { method, redirect: 'manual', ...sent })
    expect(response.headers.get('svc-request-id')).toMatch(UUID)
    const text = await response.text()
    expect(text).not.toMatch(INNARDS)
    expect(faults()).toEqual([])
    return { status: response.status, type: response.headers.get('content-type') ?? '', text }
  }

  describe('a URL that needs no token', () => {
    test.each([
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs/assets/docs.css',
      '/assets/havn.css',
      '/.well-known/jwks.json',
      '/.well-known/openid-configuration',
    ])('%s responds with a request id', async (path) => {
      expect((await ask('GET', path)).status).toBe(200)
    })
  })

  test('/openapi.json has the URL that it is served from', async () => {
    const { text } = await ask('GET', '/openapi.json')
    expect(JSON.parse(text).servers).toEqual([{ url: gateway.config.baseUrl, description: 'The API.' }])
  })

  describe('a page', () => {
    test.each([`${SIGNING}/token`, `${SIGNING}/%00`, '/signing/a/b/c', `${SIGNING}/return/token`])(
      'at %s, which does not exist, says so: 404',
      async (path) => {
        expect(await ask('GET', path)).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' })
      },
    )

    test.each([`${SIGNING}/token`, '/signing/a/b/c', `${SIGNING}/token/leave`, `${SIGNING}/return/token/next`])(
      'a form sent to %s, which does not exist, gets a page: 404',
      async (path) => {
        expect(await ask('POST', path, 'a=b')).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' })
      },
    )

    test.each([
      ['broken JSON', '{', 'application/json', 400],
      ['another media type', '<a/>', 'text/xml', 415],
      ['a body over the limit', `a=${'x'.repeat(300_000)}`, FORM, 413],
    ])(
      'for a request with %s is an error of the sender: a page, and no error of ours in the log',
      async (_what, body, type, status) => {
        const answer = await ask('POST', `${SIGNING}/token`, body, type)
        expect(answer.status).toBe(status)
        expect(answer.type).toBe('text/html; charset=utf-8')
      },
    )
  })

  describe('an inbound notification', () => {
    test.each([
      ['of an unknown payment', `${HINT}/token`, '{}'],
      ['with U+0000 for a token', `${HINT}/%00`, '{}'],
      ['of an invalid id', '/hints/payments/a/b/c', '{}'],
      ['without a body', `${HINT}/token`, undefined],
      ['with null', `${HINT}/token`, 'null'],
      ['with a list', `${HINT}/token`, '[1]'],
      ['about an SCA session', `/hints/signings/${UNKNOWN_ID}/${UNKNOWN_ID}/token`, '{}'],
      ['about an SCA session with an invalid id', '/hints/signings/a/b/%00', '{}'],
    ])('%s gets 204, as every notification does', async (_what, path, body) => {
      const before = gateway.logLines().filter((line) => line.includes('a bank was called')).length
      expect(await ask('POST', path, body, 'application/json')).toMatchObject({ status: 204, text: '' })
      expect(gateway.logLines().filter((line) => line.includes('a bank was called'))).toHaveLength(before)
    })
  })
})

describe('the form of an error', () => {
  let headers: Record<string, string>
  beforeAll(async () => {
    headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  })

  const docs = (code: keyof typeof ERROR_CATALOGUE) => `${gateway.config.baseUrl}/docs/errors#${code}`
  const post = (path: string, body: unknown) => sendRawRequest(gateway, ['POST', path], { headers, body })
  const get = (path: string) => sendRawRequest(gateway, ['GET', path], { headers })

  describe('an error', () => {
    test('without a code is an envelope with the code of its status', async () => {
      const { body, headers: answered } = await get(`/api/v2/payments/${UNKNOWN_ID}`)
      const message = Object(body).message
      expect(body).toEqual({
        svcRequestId: answered.get('svc-request-id'),
        message: expect.stringMatching(/\S/),
        code: 'NotFound',
        errors: [{ code: 'NotFound', path: '.', message, docs: docs('NotFound') }],
      })
    })

    test('with a failure code has it as code, too', async () => {
      const other = { ...headers, 'consent-id': UNKNOWN_ID }
      const { status, body } = await sendRawRequest(gateway, ['GET', '/api/v2/accounts'], { headers: other })
      expect(status).toBe(400)
      const [code, message] = ['INVALID_CONSENT', Object(body).message]
      expect(body).toMatchObject({
        failure: code,
        code,
        errors: [{ code, path: '.', message, docs: docs(code as never) }],
      })
    })

    test('of validation is a list, whose elements say which rule the quoted value violates', async () => {
      const order = domesticPayment(gateway)
      const { status, body } = await post('/api/v2/payments', {
        ...order,
        dueDate: '23.11.2026',
        metadata: {},
        amount: { amount: '1,5', currency: 'nok' },
      })
      const element = (code: keyof typeof ERROR_CATALOGUE, path: string, rest: object) => ({
        code,
        path,
        reason: expect.stringMatching(/\S/),
        message: expect.stringMatching(/\S/),
        docs: docs(code),
        ...rest,
      })
      expect([status, body]).toEqual([
        422,
        [
          element('InvalidRequest', '.metadata.endToEndId', { rule: 'required' }),
          element('InvalidAmount', '.amount.amount', { rule: 'pattern' }),
          element('InvalidAmount', '.amount.currency', { rule: 'pattern', value: 'nok' }),
          element('InvalidDueDate', '.dueDate', { rule: 'pattern', value: '23.11.2026' }),
        ],
      ])
      expect(Object(body)[0].message).toBe(Object(body)[0].reason)
    })

    test('of a business rule quotes the value, too, and names no rule of the schema', async () => {
      const { body } = await post('/api/v2/payments', { ...domesticPayment(gateway), dueDate: '2020-01-02' })
      expect(body).toMatchObject([{ code: 'InvalidDueDate', path: '.dueDate', value: '2020-01-02' }])
      expect(Object(body)[0].rule).toBe(undefined)
    })

    test('of a query has the path of the parameter', async () => {
      const { body } = await get('/api/v2/payments?status=Done&limit=0')
      expect(body).toMatchObject([
        { path: '.status', rule: 'enum', value: 'Done' },
        { path: '.limit', rule: 'minimum', value: '0' },
      ])
    })

    test('of the exchange operations is the first parsing error, and lists all errors', async () => {
      const { status, body } = await post('/api/fx/payments/validate', { dueDate: 1, metadata: { endToEndId: 7 } })
      expect(status).toBe(400)
      const { errors, ...first } = Object(body)
      expect(first).toMatchObject({ code: errors[0].code, path: errors[0].path, reason: errors[0].message })
      expect(errors.length).toBeGreaterThan(3)
      expect(errors).toContainEqual(
        expect.objectContaining({ code: 'InvalidFieldType', path: '.dueDate', rule: 'type' }),
      )
    })

    test('of the webhook operations is an envelope that lists each field', async () => {
      const { status, body } = await post('/api/webhooks/subscription', { eventTypes: ['OTHER'], targetUrl: 3 })
      expect(status).toBe(400)
      expect(body).toMatchObject({
        code: 'BadRequest',
        errors: [
          { path: '.eventTypes[0]', rule: 'enum', value: 'OTHER' },
          { path: '.targetUrl', rule: 'type' },
        ],
      })
    })
  })

  test('an error about a payroll quotes no person, account or amount that was sent', async () => {
    const sent = ['Kari Nordmann', '01815012345', '86011117947', '31250.50', 'Lønn november']
    const [name, nationalId, bban, amount, message] = sent
    // Each value is in each field once, so that it is rejected wherever it is.
    for (const value of [...sent, 31250.5]) {
      const { status, body } = await post('/api/v2/payroll', {
        from: { account: { bban: value }, name: value, organizationNumber: value },
        transactions: [
          {
            metadata: { endToEndId: value },
            name: [value],
            account: { bban: value },
            amount: { amount: value, currency: value },
          },
          {
            name,
            account: { bban: nationalId },
            amount: { amount },
            remittanceInformation: { type: value, value: message },
          },
          { name: bban, remittanceInformation: value },
        ],
        dueDate: value,
        purposeCode: value,
      })
      expect(status).toBe(422)
      const quoted = Object.values<Readonly<Record<string, unknown>>>(Object(body)).flatMap(
        ({ value: one }) => one ?? [],
      )
      expect(quoted.filter((one) => [...sent, '31250.5'].some((secret) => String(one).includes(secret)))).toEqual([])
    }
  })

  test('an invalid answer of every form leads to an entry of the catalogue', async () => {
    const answers: readonly Answer[] = [
      await get('/api/v2/payments/x'),
      await get('/no/such/path'),
      await post('/api/v2/payments', '{'),
      await post('/api/fx/payments', '{'),
      await sendRawRequest(gateway, ['PUT', '/api/v2/payments'], { headers }),
      await sendRawRequest(gateway, ['GET', '/api/companies']),
    ]
    for (const { body } of answers) {
      const [code] = String(Object(body).errors[0].docs).match(/[A-Za-z_]+$/) ?? []
      expect(ERROR_CATALOGUE).toHaveProperty([String(code)])
    }
  })
})
