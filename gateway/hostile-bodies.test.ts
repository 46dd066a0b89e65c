/** Tests that no body causes an internal error or a much larger response, and that null in an optional field is an absent field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examplesByOperation } from '../contract/examples/examples-by-operation.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { changePartnerPermission } from './auth/client-permissions.ts'
import { findPartner } from './partners/partner-store.ts'
import { VALIDATION_ERRORS_MAX } from './platform/http/validation/schema-validation.ts'
import { sendRawRequest, UNKNOWN_ID, validHeaders } from './testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from './testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, MAIN_ACCOUNT } from './testing/payments/sample-payments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('hostile bodies', () => {
  /** Just below the server's limit. */
  const BODY_BYTES = 250_000
  const ANSWER_BYTES_MAX = 100_000

  let headers: Record<string, string>
  beforeAll(async () => {
    headers = { ...(await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)) }
  })

  /** A little less than a body may have. */
  const VALUES = 10_000

  const many = (text: string, values = VALUES) =>
    Array(Math.min(values, Math.floor(BODY_BYTES / (text.length + 1))))
      .fill(text)
      .join(',')
  /** Every text of a payment, far longer than any genuine value. */
  const LONG = 'x'.repeat(5_000)

  const NUL = '"\\u0000"'

  describe('a body', () => {
    test.each([
      [
        'with wrong elements and texts that cannot be stored',
        `{"payments":[${many('1', VALUES / 2)}],"x":[${many(NUL, VALUES / 2)}]}`,
      ],
      ['with wrong elements', `{"payments":[${many('1')}]}`],
      ['with texts that cannot be stored', `{"payments":[${many(NUL)}]}`],
      ['with such texts below a very long name', `{"${'x'.repeat(125_000)}":[${many(NUL, 9_000)}]}`],
      ['with a name full of dots and such texts', `{"${'.'.repeat(125_000)}":${NUL},"x":[${many(NUL, 9_000)}]}`],
      ['with wrong elements that fill it', `{"payments":[${many(`"${'x'.repeat(20)}"`)}]}`],
      ['with very many fields', `{"payments":[1],${Array.from({ length: VALUES }, (_, n) => `"m${n}":0`).join(',')}}`],
    ])('%s is rejected with a short response', async (_what, body) => {
      const answer = await gateway.fetch('/api/v2/payments/approve', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      const text = await answer.text()
      expect(answer.status).toBe(422)
      expect(JSON.parse(text).length).toBeLessThanOrEqual(VALIDATION_ERRORS_MAX)
      expect(text.length).toBeLessThan(ANSWER_BYTES_MAX)
    })
  })

  describe('a payment', () => {
    const address = { streetName: LONG, buildingNumber: LONG, city: LONG, postCode: LONG }
    const contactInformation = { name: LONG, telephoneNumber: LONG, address }
    const account = { type: 'bban', bban: LONG }
    const body = {
      metadata: { endToEndId: LONG },
      from: { account, contactInformation, currency: 'NOK', organizationNumber: LONG },
      to: { account, contactInformation },
      amount: { amount: '1.00', currency: 'NOK' },
      dueDate: '2026-12-01',
      remittanceInformation: { type: 'message', value: LONG, debtorReference: LONG },
    }
    const sides = ['from', 'to'].flatMap((side) => [
      `.${side}.account.bban`,
      `.${side}.contactInformation.name`,
      `.${side}.contactInformation.telephoneNumber`,
      ...Object.keys(address).map((member) => `.${side}.contactInformation.address.${member}`),
    ])

    test('with a long text in any field is rejected at each of them', async () => {
      const answer = await gateway.fetch('/api/v2/payments', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(422)
      const validationErrors: readonly { readonly path: string; readonly code: string }[] = JSON.parse(
        await answer.text(),
      )
      const paths = validationErrors.map(({ path }) => path)
      const codes = new Map(validationErrors.map(({ path, code }) => [path, code]))
      expect(codes.get('.from.contactInformation.name')).toBe('SenderNameTooLong')
      expect(codes.get('.to.contactInformation.name')).toBe('RecipientNameTooLong')
      const remittance = '.remittanceInformation'
      const others = [
        '.metadata.endToEndId',
        '.from.organizationNumber',
        `${remittance}.value`,
        `${remittance}.debtorReference`,
      ]
      expect(paths).toEqual(expect.arrayContaining([...sides, ...others]))
    })
  })

  const payment = (changes: object) => ({
    metadata: { endToEndId: 'INV-20455' },
    from: { account: { type: 'bban', bban: MAIN_ACCOUNT }, contactInformation: { name: 'Nordlys' }, currency: 'NOK' },
    to: { account: { type: 'bban', bban: '86011117947' }, contactInformation: { name: 'Blåbær Bygg' } },
    amount: { amount: '1.00', currency: 'NOK' },
    dueDate: '2026-12-01',
    ...changes,
  })
  const payer = (account: object) => ({ ...payment({}).from, account: { type: 'bban', ...account } })
  const PAYMENTS = '/api/v2/payments'
  const ONBOARDING = '/onboarding'
  const NO_TEXT = { toString: 1 }

  test('unknown fields of any type are ignored', async () => {
    const { to, ...order } = domesticPayment(gateway)
    const unknown = { toString: null, valueOf: null }
    const address = { city: 'Oslo', country: 'NO', unknown }
    const contactInformation = { ...to.contactInformation, address, unknown }
    const body = { ...order, to: { ...to, contactInformation, unknown }, unknown }
    expect(await sendRawRequest(gateway, ['POST', PAYMENTS], { headers, body })).toMatchObject({ status: 200 })
    const entries = `/api/sandbox/accounts/${MAIN_ACCOUNT}/entries`
    const entry = { amount: '1.00', counterparty: 'Kunde AS', unknown }
    expect(await sendRawRequest(gateway, ['POST', entries], { headers, body: entry })).toMatchObject({ status: 200 })
  })

  describe('a value that cannot be stored, or is no text where text is expected,', () => {
    test.each<[what: string, path: string, body: unknown, at: string, code?: string]>([
      ['U+0000', PAYMENTS, payment({ from: payer({ bban: '8050110\0' }) }), '.from.account.bban', 'InvalidCharacters'],
      [
        'a lone surrogate',
        PAYMENTS,
        payment({ metadata: { endToEndId: 'INV-\ud800' } }),
        '.metadata.endToEndId',
        'InvalidCharacters',
      ],
      [
        'a lone surrogate in an optional field',
        `${PAYMENTS}/cross-border`,
        payment({ regulatoryReporting: { code: '14', information: '\udfff' } }),
        '.regulatoryReporting.information',
      ],
      ['an object', PAYMENTS, payment({ amount: { amount: '1.00', currency: NO_TEXT } }), '.amount.currency'],
      ['an object for an account', PAYMENTS, payment({ from: payer({ bban: NO_TEXT }) }), '.from.account.bban'],
      ['an object for a country', ONBOARDING, { country: NO_TEXT, organizationNumber: '987654325' }, '.country'],
    ])('%s sent to %s is rejected at its path', async (_what, path, body, at, code) => {
      const answer = await sendRawRequest(gateway, ['POST', path], { headers, body })
      const expected = typeof code === 'string' ? { path: at, code } : { path: at }
      expect(answer).toMatchObject({ status: 422, body: expect.arrayContaining([expect.objectContaining(expected)]) })
    })
  })
})

describe('null in an optional field', () => {
  let headers: Record<string, string>
  beforeAll(async () => {
    const partner = await findPartner(gateway.context.database, 'Demo partner')
    // A company is registered only once: without the agreement each request has the same response.
    if (partner !== undefined) {
      await changePartnerPermission(gateway.context, 'operator Ada', partner, ['aisRegistration', false])
    }
    headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  })

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
})
