/** Shows what a partner reads when a bank rejects a request, whatever its answer looks like, and when its ids or bytes are odd. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../sandbox/bank/faults.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'

const TIMEOUT_MILLISECONDS = 60_000
const FJORDBANKEN = { bic: 'FJORNO22', organizationNumber: '987654325' }

let gateway: TestGateway
let bank: SandboxBankControl
let headers: Record<string, string>
let consentId: string
let accountId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  consentId = (await acceptedConsent(gateway)).consentId
  headers = await validHeaders(gateway, consentId)
  accountId = (await gateway.client.listAccounts({ consentId, psu: PSU })).accounts[0]?.id ?? ''
})
afterEach(() => bank.clearFaults())
afterAll(() => gateway.close())

const send = (method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> =>
  sendRawRequest(gateway, [method, path], { headers, ...(body === undefined ? {} : { body }) })
const today = () => gateway.context.clock.today('Europe/Oslo').toString()
const ordered = async () =>
  (await gateway.client.initiateDomesticPayment({ consentId, psu: PSU, body: domesticPayment(gateway) })).paymentId

/** A request of a partner, by the bank's operation that it leads to. */
const requestOf: Readonly<Record<string, () => Promise<Answer>>> = {
  initiatePayment: () => send('POST', '/api/v2/payments', domesticPayment(gateway)),
  startPaymentAuthorisation: async () =>
    await send('POST', '/api/v2/payments/approve', { payments: [await ordered()], callbackUrl: CALLBACK }),
  cancelPayment: async () =>
    await send('POST', '/api/v2/payments/cancel', { paymentId: await ordered(), callbackUrl: CALLBACK }),
  createConsent: () =>
    send('POST', '/api/v2/consents', { ...FJORDBANKEN, userId: '01815012345', callbackUrl: CALLBACK }),
  getAccounts: () => send('GET', '/api/v2/accounts'),
  getTransactions: () =>
    send('GET', `/api/v2/accounts/${accountId}/entries/extended?fromDate=${today()}&toDate=${today()}`),
}

type Rejection = Omit<Fault, 'bank' | 'operation' | 'effect'>
type Row = readonly [operation: string, rejection: Rejection, status: number, says: RegExp]

const HTML = { body: '<html><body>Not Found</body></html>', contentType: 'text/html' }
const BARE = { body: '' }
const TEXT = { body: 'The file is closed today', contentType: 'text/plain' }
const PROBLEM = {
  body: '{"title":"Closed","detail":"The file is closed today"}',
  contentType: 'application/problem+json',
}
const MARKED = {
  body: '\ufeff{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR","text":"The file is closed"}]}',
}
const [NOT_HERE, CLOSED] = [/rejects this request: The bank answered \d{3} without a reason/, /file is closed/]

const REJECTIONS: readonly Row[] = [
  ...Object.keys(requestOf).flatMap((operation): Row[] => [
    [operation, { status: 404, ...HTML }, 400, NOT_HERE],
    [operation, { status: 415, ...BARE }, 400, NOT_HERE],
    [
      operation,
      { status: 406, code: 'REQUESTED_FORMATS_INVALID' },
      400,
      /rejects this request.*REQUESTED_FORMATS_INVALID/,
    ],
    [operation, { status: 403, ...TEXT }, 400, CLOSED],
    [operation, { status: 401, code: 'CERTIFICATE_EXPIRED' }, 503, /only the operator/],
  ]),
  ...['startPaymentAuthorisation', 'cancelPayment', 'createConsent', 'getAccounts', 'getTransactions'].flatMap(
    (operation): Row[] => [
      [operation, { status: 400, ...PROBLEM }, 400, CLOSED],
      [operation, { status: 400, ...MARKED }, 400, CLOSED],
      [operation, { status: 413, ...BARE }, 400, NOT_HERE],
    ],
  ),
  ['initiatePayment', { status: 413, ...BARE }, 422, /The bank answered 413 without a reason/],
  ['initiatePayment', { status: 400, ...PROBLEM }, 422, CLOSED],
  ['initiatePayment', { status: 400, ...MARKED }, 422, CLOSED],
  ['initiatePayment', { status: 422, ...TEXT }, 422, CLOSED],
  ['initiatePayment', { status: 400, code: 'PERIOD_INVALID' }, 422, /does not accept it/],
  [
    'initiatePayment',
    { status: 400, code: 'SCA_METHOD_UNKNOWN' },
    400,
    /UNSUPPORTED_PRODUCT_BY_BANK.*SCA_METHOD_UNKNOWN/,
  ],
  ['initiatePayment', { status: 400, code: 'SCA_INVALID' }, 400, /ACCESS_DENIED.*SCA_INVALID/],
  ['startPaymentAuthorisation', { status: 400, code: 'SCA_METHOD_UNKNOWN' }, 400, /UNSUPPORTED_PRODUCT_BY_BANK/],
  ['startPaymentAuthorisation', { status: 400, code: 'SCA_INVALID' }, 400, /ACCESS_DENIED/],
  ['createConsent', { status: 400, code: 'SESSIONS_NOT_SUPPORTED' }, 400, /UNSUPPORTED_PRODUCT_BY_BANK/],
  ['getTransactions', { status: 400, code: 'PERIOD_INVALID' }, 422, /this period/],
]

test('every rejection reaches the partner with the bank’s reason', { timeout: TIMEOUT_MILLISECONDS }, async () => {
  const read = await forEachRow(REJECTIONS, JSON.stringify, async ([operation, rejection]) => {
    await bank.injectFault({ operation, effect: 'status', ...rejection })
    const answer = await requestOf[operation]?.()
    await bank.clearFaults()
    return answer
  })
  const wrong = [...read].filter(([[, , status, says], answer]) => {
    const { status: is, body } = Object(answer)
    return is !== status || !says.test(JSON.stringify(body))
  })
  expect(wrong.map(([row, is]) => [JSON.stringify(row), JSON.stringify(is)])).toEqual([])
})

test.each([418, 406, 408, 425, 499])('a %i to an order says nothing of it: its outcome is unknown', async (status) => {
  await bank.injectFault({ operation: 'initiatePayment', effect: 'status', status, ...BARE })
  const answer = await requestOf['initiatePayment']?.()
  expect(answer).toMatchObject({ status: 503, body: { paymentId: expect.any(String) } })
})

describe('an order that the bank acknowledges', () => {
  test.each(['..', 'a/../b', ' ', 'a\u0007', 'x'.repeat(300)])(
    'under the id %j has an unknown outcome, is submitted once, and operators see the id',
    async (value) => {
      const before = (await bank.payments()).length
      await bank.injectFault({ operation: 'initiatePayment', effect: 'replace', fields: ['paymentId'], value })
      const body = domesticPayment(gateway)
      const answer = await send('POST', '/api/v2/payments', body)
      const { paymentId } = Object(answer.body)
      expect(answer).toMatchObject({ status: 503, body: { paymentId: expect.any(String) } })
      await gateway.sweep()
      expect(await send('POST', '/api/v2/payments', body)).toMatchObject({ status: 409, body: { paymentId } })
      const approval = { payments: [paymentId], callbackUrl: CALLBACK }
      expect(await send('POST', '/api/v2/payments/approve', approval)).toMatchObject({ status: 422 })
      expect(await gateway.client.getPaymentStatus({ params: { paymentId } })).toMatchObject({ outcomeUnknown: true })
      expect((await bank.payments()).length - before).toBe(1)
      const { rows } = await gateway.context.database.pool.query(
        "select detail->>'unusableBankPaymentId' as id from operator_tasks where subject_id = $1",
        [paymentId],
      )
      expect(rows.map(({ id }) => JSON.parse(id))).toEqual([value.slice(0, 200)])
    },
  )
})

test('the reason of a rejected payment comes before the bank’s message to the user', async () => {
  // Its status has a message to third parties, too.
  const at = nordicBank('BLTBDK22')
  const { paymentId } = await openPaymentDriver(gateway).order(at)
  const danish = openSandboxBankControl(gateway.bank, at.bic)
  const { paymentId: held } = (await danish.payments()).at(-1) ?? expect.fail('The bank holds no payment')
  await danish.postControl(`/payments/${held}/status`, { transactionStatus: 'RJCT', reason: 'account-closed' })
  const replaced = { fields: ['psuMessage'], value: 'Betalingen ble avvist' }
  await danish.injectFault({ operation: 'getPaymentStatus', effect: 'replace', ...replaced })
  await gateway.client.moveSandboxClock({ body: { advance: 'PT1H' } })
  await eventually(async () =>
    expect(await gateway.client.getPaymentStatus({ params: { paymentId } })).toMatchObject({
      status: 'Rejected',
      statusReasonText: "The receiver's account is closed – Betalingen ble avvist",
    }),
  )
})

describe('a byte order mark before every answer', () => {
  beforeEach(() => bank.injectFault({ operation: '*', effect: 'byte-order-mark' }))

  test('changes nothing', async () => {
    expect(await requestOf['getTransactions']?.()).toMatchObject({ status: 200 })
    expect(await requestOf['startPaymentAuthorisation']?.()).toMatchObject({ status: 200 })
    expect(await requestOf['createConsent']?.()).toMatchObject({ status: 200 })
  })
})
