/** Tests that every form of error extends its documented body by the same fields, and quotes no personal data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../contract/errors/error-catalogue.ts'
import { type Answer, sendRawRequest, UNKNOWN_ID, validHeaders } from './testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from './testing/payments/sample-payments.ts'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
})
afterAll(() => gateway.close())

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
    expect(errors).toContainEqual(expect.objectContaining({ code: 'InvalidFieldType', path: '.dueDate', rule: 'type' }))
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
    const quoted = Object.values<Readonly<Record<string, unknown>>>(Object(body)).flatMap(({ value: one }) => one ?? [])
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
