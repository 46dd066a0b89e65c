/** Shows that a bank that fails every initiation still gets all other calls: revocations and status requests. */
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AccountList } from '../../contract/accounts.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver } from '../testing/payments/payment-driver.ts'
import { acceptedConsent, CALLBACK, domesticPayment, OLA, PSU } from '../testing/payments/sample-payments.ts'

const FJORD = nordicBank('FJORNO22')
/** More than the failures in a row that open the circuit, and than the orders that probe the bank. */
const ORDERS_MAX = 30

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const callsOf = (operation: string) =>
  gateway.logLines().filter((line) => line.includes('a bank was called') && line.includes(`"${operation}"`)).length

/** Submits orders until the bank is not called any more, and returns the partner's error. */
async function orderUntilTurnedAway(headers: Record<string, string>): Promise<Answer> {
  for (let count = 0; count < ORDERS_MAX; count += 1) {
    const before = callsOf('initiatePayment')
    const answer = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], {
      headers,
      body: domesticPayment(gateway),
    })
    expect(answer.status).toBe(503)
    if (callsOf('initiatePayment') === before) {
      return answer
    }
  }
  throw new Error('The circuit of the orders did not open')
}

test('a bank that limits calls says so to the partner, with its Retry-After, whatever the call is', async () => {
  const bank = openSandboxBankControl(gateway.bank)
  const payer = openPaymentDriver(gateway)
  const { paymentId } = await payer.order(FJORD)
  const { consentId } = await payer.consentOf(FJORD)
  const headers = await validHeaders(gateway, consentId)
  const listed = await sendRawRequest(gateway, ['GET', '/api/v2/accounts'], { headers })
  const [account] = Value.Parse(AccountList, listed.body).accounts
  const approval = { payments: [paymentId], callbackUrl: CALLBACK }
  const limit = { effect: 'status', status: 429, retryAfter: '77' } as const
  for (const [operation, method, path, body, expected] of [
    ['initiatePayment', 'POST', '/api/v2/payments', domesticPayment(gateway), 503],
    ['startPaymentAuthorisation', 'POST', '/api/v2/payments/approve', approval, 503],
    ['getBalances', 'GET', `/api/v2/accounts/${account?.id}/balance`, undefined, 429],
  ] as const) {
    await bank.injectFault({ ...limit, operation })
    const answer = await sendRawRequest(gateway, [method, path], body === undefined ? { headers } : { headers, body })
    expect([operation, answer.status, answer.headers.get('retry-after')]).toEqual([operation, expected, '77'])
    expect(JSON.stringify(answer.body)).toMatch(/limits how often|currently rejects further requests/)
    await bank.clearFaults()
  }
})

test('an order that the bank answers with 503 has its Retry-After, although its outcome is unknown', async () => {
  const bank = openSandboxBankControl(gateway.bank)
  const { consentId } = await openPaymentDriver(gateway).consentOf(FJORD)
  const headers = await validHeaders(gateway, consentId)
  await bank.injectFault({ operation: 'initiatePayment', effect: 'status', status: 503, retryAfter: '900', times: 1 })
  const body = domesticPayment(gateway)
  const answer = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], { headers, body })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '900'])
  expect(answer.headers.get('location')).toMatch(/payments/)
})

test('a bank that fails every order is polled at once about an earlier one, and gets a consent’s revocation', async () => {
  const bank = openSandboxBankControl(gateway.bank)
  const payer = openPaymentDriver(gateway)
  const { paymentId } = await payer.order(FJORD)
  expect(await payer.sign(FJORD, paymentId)).toMatchObject({ status: 'InProgress' })
  const held = (await bank.payments()).at(-1)
  const { consentId } = await acceptedConsent(gateway, OLA)
  expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'valid' })

  await bank.injectFault({ operation: 'initiatePayment', effect: 'status', status: 500 })
  const headers = await validHeaders(gateway, (await payer.consentOf(FJORD)).consentId)
  const turnedAway = await orderUntilTurnedAway(headers)
  expect(turnedAway.body).not.toHaveProperty('paymentId')
  expect(await gateway.client.getBank({ params: { countryCode: 'NO', bic: FJORD.bic } })).toMatchObject({
    status: expect.stringMatching(/^(Degraded|Down)$/),
  })

  await gateway.client.revokeConsent({ consentId, psu: PSU })
  await gateway.sweep()
  expect((await bank.consents()).at(-1)).toMatchObject({ consentStatus: 'terminatedByTpp' })
  await bank.postControl(`/payments/${held?.paymentId}/settle`)
  await eventually(async () => {
    await gateway.sweep()
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'Completed' })
  })
})
