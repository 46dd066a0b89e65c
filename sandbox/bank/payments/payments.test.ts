/** Tests the payment operations of XS2A. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isId, newId } from '../../../gateway/platform/ids.ts'
import { FIRST_DAY } from '../../../gateway/testing/gateway/start-on-bank-day.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import {
  INGRID,
  KID_ACCOUNT,
  MAIN_ACCOUNT,
  order,
  PAYMENTS,
  type ThirdParty,
  thirdPartyOf,
  userHeaders,
} from '../../testing/third-party.ts'

const EURO_ACCOUNT = '80501100076'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())

const place = (changes = {}, headers = {}) =>
  tpp.send('POST', PAYMENTS, { body: order(changes), headers: { ...userHeaders, ...headers } })
const without = (name: string) => Object.fromEntries(Object.entries(userHeaders).filter(([key]) => key !== name))
const message = (code: string, path: string) => ({ tppMessages: [expect.objectContaining({ code, path })] })

describe('initiatePayment', () => {
  test('stores an unsigned order and returns its links', async () => {
    const requestId = crypto.randomUUID()
    const made = await place({}, { 'X-Request-ID': requestId })
    expect(made.status).toBe(201)
    const self = `${tested.bank.xs2aUrl}/fjordbanken/v1${PAYMENTS}/${made.text('paymentId')}`
    expect(made.body).toEqual({
      transactionStatus: 'RCVD',
      paymentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      _links: {
        startAuthorisation: { href: `${self}/authorisations` },
        self: { href: self },
        status: { href: `${self}/status` },
      },
    })
    expect(made.headers.get('location')).toBe(self)
    expect(made.headers.get('x-request-id')).toBe(requestId)
    expect(made.headers.get('aspsp-sca-approach')).toBe('REDIRECT')
  })

  test('starts the authorisation at once unless the third party starts it explicitly', async () => {
    const made = await place({}, { 'TPP-Explicit-Authorisation-Preferred': 'false' })
    expect(made.text('_links.scaRedirect.href')).toMatch(`${tested.bank.pagesUrl}/sca/`)
    expect(made.text('_links.scaStatus.href')).toMatch('/authorisations/')
  })

  test('creates another payment for a repeated order, with the same request id too', async () => {
    const headers = { 'X-Request-ID': crypto.randomUUID() }
    const [one, other] = [await place({}, headers), await place({}, headers)]
    expect([one.status, other.status]).toEqual([201, 201])
    expect(one.text('paymentId')).not.toBe(other.text('paymentId'))
  })

  test.each(['debtorAccount', 'creditorAccount'])(
    'rejects a %s in another currency: none is exchanged',
    async (path) => {
      const rejected = await place({ [path]: { bban: EURO_ACCOUNT } })
      expect([rejected.status, rejected.body]).toEqual([400, message('FORMAT_ERROR', path)])
    },
  )

  test('accepts an IBAN as account number', async () => {
    const made = await place({ creditorAccount: { iban: 'NO9386011117947' } })
    expect(made.status).toBe(201)
  })

  test.each([
    ['X-Request-ID', { 'X-Request-ID': 'no-uuid' }],
    ['X-Request-ID', { 'X-Request-ID': newId() }],
    ['PSU-Device-ID', { 'PSU-Device-ID': newId() }],
    ['PSU-IP-Address', { 'PSU-IP-Address': 'here' }],
    ['TPP-Redirect-URI', { 'TPP-Redirect-URI': 'javascript:alert(1)' }],
    ['TPP-Notification-Content-Preferred', { 'TPP-Notification-Content-Preferred': 'everything' }],
  ])('rejects a malformed %s: %j', async (path, headers) => {
    const rejected = await place({}, headers)
    expect(rejected.status).toBe(400)
    expect(rejected.body).toEqual(message('FORMAT_ERROR', path))
    expect(isId(rejected.headers.get('x-request-id') ?? '')).toBe(true)
  })

  test.each(['PSU-IP-Address', 'PSU-ID'])('rejects an order without %s', async (name) => {
    const rejected = await tpp.send('POST', PAYMENTS, { body: order(), headers: without(name) })
    expect(rejected.status).toBe(400)
    expect(rejected.body).toEqual(message('FORMAT_ERROR', name))
  })

  test.each([
    ['creditorName', { creditorName: undefined }],
    ['creditorName', { creditorName: 'x'.repeat(71) }],
    ['creditorName', { creditorName: 'Café € Ltd' }],
    ['creditorAccount', { creditorAccount: { bban: '80501200012' } }],
    ['creditorAccount', { creditorAccount: { iban: 'NO9386011117948' } }],
    ['creditorAccount', { creditorAccount: { bban: MAIN_ACCOUNT } }],
    ['debtorAccount', { debtorAccount: { bban: '123' } }],
    ['debtorAccount', { debtorAccount: { bban: MAIN_ACCOUNT, currency: 'EUR' } }],
    ['requestedExecutionTime', { requestedExecutionTime: '2026-12-24T10:00:00Z' }],
    ['instructedAmount.amount', { instructedAmount: { currency: 'NOK', amount: '12,50' } }],
    ['instructedAmount', { instructedAmount: { currency: 'NOK', amount: '0.00' } }],
    ['instructedAmount', { instructedAmount: { currency: 'NOK', amount: '-1' } }],
    ['instructedAmount', { instructedAmount: { currency: 'NOK', amount: '1.234' } }],
    ['instructedAmount', { instructedAmount: { currency: 'NOK', amount: '25000000.01' } }],
    ['instructedAmount', { instructedAmount: { currency: 'EUR', amount: '10.00' } }],
    ['remittanceInformationUnstructured', { remittanceInformationUnstructured: 'x'.repeat(141) }],
    ['remittanceInformationUnstructured', { remittanceInformationUnstructured: 'kr 50 \u2013 takk' }],
    ['remittanceInformationStructuredArray', { remittanceInformationStructuredArray: [{ reference: '2345676' }] }],
    ['requestedExecutionDate', { requestedExecutionDate: '2027-02-30' }],
    ['endToEndIdentification', { endToEndIdentification: 'E2E-1' }],
  ])('rejects a malformed order and names %s', async (path, changes) => {
    const rejected = await place(changes)
    expect(rejected.status).toBe(400)
    expect(rejected.body).toEqual(message('FORMAT_ERROR', path))
  })

  test('reports every error at once', async () => {
    const rejected = await place({ creditorAccount: { bban: '1' }, requestedExecutionDate: '2001-01-01' })
    expect(rejected.body).toMatchObject({
      tppMessages: [
        { code: 'FORMAT_ERROR', path: 'creditorAccount', category: 'ERROR' },
        { code: 'EXECUTION_DATE_INVALID', path: 'requestedExecutionDate', category: 'ERROR' },
      ],
    })
  })

  test('rejects a KID that matches neither modulus, and accepts one that does', async () => {
    const kid = (reference: string) => ({
      remittanceInformationUnstructured: undefined,
      remittanceInformationStructuredArray: [{ reference, referenceType: 'SCOR' }],
    })
    expect((await place(kid('2345674'))).body).toEqual(message('FORMAT_ERROR', 'remittanceInformationStructuredArray'))
    expect((await place(kid('1000005-'))).status).toBe(201)
  })

  test('rejects an order without a KID to an account that requires one', async () => {
    const rejected = await place({ creditorAccount: { bban: KID_ACCOUNT } })
    expect(rejected.status).toBe(401)
    expect(rejected.body).toEqual(message('KID_MISSING', 'remittanceInformationStructuredArray'))
  })

  test('rejects an unknown user, and one who does not act for the company', async () => {
    const stranger = await place({}, { 'PSU-ID': '00000000000' })
    expect([stranger.status, stranger.body]).toEqual([401, message('PSU_CREDENTIALS_INVALID', 'PSU-ID')])
    const other = await place({}, { 'PSU-Corporate-ID': '987654341' })
    expect([other.status, other.body]).toEqual([401, message('CORPORATE_ID_INVALID', 'PSU-Corporate-ID')])
  })

  test('rejects a payment from an account without the user’s right to pay', async () => {
    const foreign = await place({ debtorAccount: { bban: KID_ACCOUNT } })
    expect([foreign.status, foreign.body]).toEqual([403, message('RESOURCE_UNKNOWN', 'debtorAccount')])
    const viewer = await place({}, { 'PSU-ID': INGRID })
    expect([viewer.status, viewer.body]).toEqual([403, message('SERVICE_BLOCKED', 'debtorAccount')])
  })

  test('identifies the user by a consent when no PSU-ID is given', async () => {
    const consentId = await tpp.consent()
    const headers = { ...without('PSU-ID'), 'Consent-ID': consentId }
    expect((await tpp.send('POST', PAYMENTS, { body: order(), headers })).status).toBe(201)
    await tpp.send('DELETE', `/consents/${consentId}`)
    const rejected = await tpp.send('POST', PAYMENTS, { body: order(), headers })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([401, 'CONSENT_INVALID'])
  })

  test('rejects a URL that cannot be decoded, like any other request', async () => {
    const rejected = await tpp.send('GET', `${PAYMENTS}/%zz`)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([400, 'FORMAT_ERROR'])
    expect(rejected.headers.get('x-request-id')).toEqual(expect.any(String))
  })

  test('rejects what it does not offer', async () => {
    const parts = { body: order(), headers: userHeaders }
    const product = await tpp.send('POST', '/payments/sepa-credit-transfers', parts)
    expect([product.status, product.text('tppMessages.0.code')]).toEqual([404, 'PRODUCT_UNKNOWN'])
    const service = await tpp.send('POST', '/bulk-payments/norwegian-domestic-credit-transfers', parts)
    expect([service.status, service.text('tppMessages.0.code')]).toEqual([405, 'SERVICE_INVALID'])
    const method = await tpp.send('PUT', PAYMENTS, parts)
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST'])
    const address = await tpp.send('GET', '/nowhere')
    expect([address.status, address.text('tppMessages.0.code')]).toEqual([404, 'RESOURCE_UNKNOWN'])
  })

  test('rejects a body that is not JSON, or of another type, and responds in JSON only', async () => {
    const broken = await tpp.send('POST', PAYMENTS, { body: '{"a":', headers: userHeaders })
    expect([broken.status, broken.text('tppMessages.0.code')]).toEqual([400, 'FORMAT_ERROR'])
    const xml = await tpp.send('POST', PAYMENTS, {
      body: '<xml/>',
      headers: { ...userHeaders, 'Content-Type': 'application/xml' },
    })
    expect(xml.status).toBe(415)
    const html = await tpp.send('GET', `${PAYMENTS}/${crypto.randomUUID()}`, { headers: { Accept: 'text/html' } })
    expect(html.status).toBe(406)
  })
})

describe('getPayment, getPaymentStatus', () => {
  test('return the order as it was submitted, and its status', async () => {
    const id = await tpp.pay()
    expect((await tpp.send('GET', `${PAYMENTS}/${id}`)).body).toEqual({ ...order(), transactionStatus: 'RCVD' })
    expect((await tpp.send('GET', `${PAYMENTS}/${id}/status`)).body).toEqual({ transactionStatus: 'RCVD' })
  })

  test.each([crypto.randomUUID(), 'no-id'])('return no payment %s', async (id) => {
    const rejected = await tpp.send('GET', `${PAYMENTS}/${id}/status`)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([403, 'RESOURCE_UNKNOWN'])
  })
})

describe('cancelPayment', () => {
  test('cancels an unsigned payment at once, and ends its authorisation', async () => {
    const id = await tpp.pay()
    const { id: authorisationId } = await tpp.authorise(`${PAYMENTS}/${id}/authorisations`)
    expect((await tpp.send('DELETE', `${PAYMENTS}/${id}`)).status).toBe(204)
    expect((await tpp.send('GET', `${PAYMENTS}/${id}/status`)).body).toMatchObject({ transactionStatus: 'CANC' })
    const sca = await tpp.send('GET', `${PAYMENTS}/${id}/authorisations/${authorisationId}`)
    expect(sca.body).toMatchObject({ scaStatus: 'failed' })
  })

  test('requires an authorisation once the payment is signed, and cancels by it', async () => {
    const { body } = await tpp.control('GET', '/clock')
    expect(body).toHaveProperty('now')
    const later = FIRST_DAY.add({ days: 10 }).toString()
    const id = await tpp.pay({ requestedExecutionDate: later })
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    const requested = await tpp.send('DELETE', `${PAYMENTS}/${id}`)
    expect([requested.status, requested.text('transactionStatus')]).toEqual([202, 'ACTC'])
    expect(requested.text('_links.startAuthorisation.href')).toMatch(`${id}/cancellation-authorisations`)
    const path = `${PAYMENTS}/${id}/cancellation-authorisations`
    await tpp.sign(path)
    const list = await tpp.send('GET', path)
    expect(list.text('authorisationIds.0')).toMatch(/^[0-9a-f-]{36}$/)
    expect((await tpp.send('GET', `${PAYMENTS}/${id}/status`)).body).toMatchObject({ transactionStatus: 'CANC' })
  })

  test('rejects once the payment is being executed', async () => {
    const id = await tpp.pay()
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    await tpp.control('POST', `/payments/${id}/status`, { transactionStatus: 'ACSP' })
    const rejected = await tpp.send('DELETE', `${PAYMENTS}/${id}`)
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([405, 'CANCELLATION_INVALID'])
  })
})
