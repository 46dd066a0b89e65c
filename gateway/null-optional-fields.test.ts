/** Tests for every operation with a body that null in an optional field is the same as an absent field. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examplesByOperation } from '../contract/examples/examples-by-operation.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { changePartnerPermission } from './auth/client-permissions.ts'
import { findPartner } from './partners/partner-store.ts'
import { sendRawRequest, UNKNOWN_ID, validHeaders } from './testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from './testing/payments/sample-payments.ts'

let gateway: TestGateway
let headers: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  const partner = await findPartner(gateway.context.database, 'Demo partner')
  // A company is registered only once: without the agreement each request has the same response.
  if (partner !== undefined) {
    await changePartnerPermission(gateway.context, 'operator Ada', partner, ['aisRegistration', false])
  }
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
})
afterAll(() => gateway.close())

/** A value with null for every optional field that it lacks, at any depth. */
function withNulls(schema: unknown, value: unknown): unknown {
  const { properties = {}, required = [], items, oneOf = [] } = Object(schema)
  if (Array.isArray(value)) {
    return value.map((element) => withNulls(items, element))
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const branch = oneOf.find((one: { properties: { type?: { const?: string } } }) => {
    return one.properties.type?.const === Object(value).type
  })
  const members = { ...properties, ...Object(branch).properties }
  const absent = Object.keys(members).filter((name) => ![...required, ...Object.keys(value)].includes(name))
  const present = Object.entries(value).map(([name, member]) => [name, withNulls(members[name], member)])
  return Object.fromEntries([...present, ...absent.map((name) => [name, null])])
}

const nullsIn = (text: string): number => text.split(':null').length - 1

const withBody: readonly Operation[] = Object.values<Operation>(operations).filter(
  ({ body, bodyType, sandboxOnly }) => body !== undefined && bodyType !== 'form' && !sandboxOnly,
)

test('every operation responds in the same way to its example with null in every optional field', async () => {
  let nulls = 0
  for (const operation of withBody) {
    const examples: readonly object[] =
      Object.entries(examplesByOperation).find(([id]) => id === operation.id)?.[1] ?? []
    const body = Object(examples[0]).body
    const filled = withNulls(operation.body, body)
    nulls += nullsIn(JSON.stringify(filled))
    const path = operation.path.replaceAll(/\{\w+\}/g, UNKNOWN_ID)
    const answers = []
    for (const sent of [body, filled]) {
      const { status, body: answered } = await sendRawRequest(gateway, [operation.method, path], {
        headers,
        body: sent,
      })
      answers.push({ id: operation.id, status, validationErrors: Array.isArray(answered) ? answered : [] })
    }
    expect(answers[1]).toEqual(answers[0])
  }
  expect(nulls).toBeGreaterThan(20)
})

test('a payment with null in every optional field is ordered, and is the same request under its key', async () => {
  const { remittanceInformation: _none, ...bare } = domesticPayment(gateway)
  const filled = withNulls(operations.initiateDomesticPayment.body, bare)
  const keyed = { ...headers, 'idempotency-key': 'null-is-absent' }
  const first = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], { headers: keyed, body: filled })
  expect(first).toMatchObject({ status: 200, body: { paymentStatus: { status: 'Unsigned' } } })
  const again = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], { headers: keyed, body: bare })
  expect(again.body).toEqual(first.body)
})

test('a required field that is null is missing', async () => {
  const body = { ...domesticPayment(gateway), dueDate: null }
  const answer = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], { headers, body })
  expect(answer).toMatchObject({
    status: 422,
    body: [{ path: '.dueDate', reason: expect.stringContaining('dueDate is required') }],
  })
})
