/** Tests status notifications to third parties. */
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../gateway/testing/gateway/eventually.ts'
import { bulkTestClient } from '../testing/bulk-test-client.ts'
import { startTestBank, type TestBank } from '../testing/test-bank.ts'
import { order, PAYMENTS, type ThirdParty, thirdPartyOf, userHeaders } from '../testing/third-party.ts'

let tested: TestBank
let tpp: ThirdParty
let receiver: Server
let address: string
let received: unknown[] = []

beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
  receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ ...JSON.parse(text), requestId: request.headers['x-request-id'] })
      response.writeHead(500).end()
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.listen(0, '127.0.0.1', resolve)
  await promise
  const taken = receiver.address()
  address = `http://127.0.0.1:${typeof taken === 'object' ? taken?.port : ''}/hint/token`
})
afterAll(async () => {
  await tested.close()
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(() => {
  received = []
})

async function signedPayment(headers: Record<string, string>): Promise<Record<string, string>> {
  const made = await tpp.send('POST', PAYMENTS, { body: order(), headers: { ...userHeaders, ...headers } })
  const paymentId = made.text('paymentId')
  const { id: authorisationId } = await tpp.authorise(`${PAYMENTS}/${paymentId}/authorisations`)
  await tpp.control('POST', `/authorisations/${authorisationId}/sign`)
  await tpp.control('POST', `/payments/${paymentId}/settle`)
  return { paymentId, authorisationId, support: made.headers.get('aspsp-notification-support') ?? '' }
}

test('every change of authorisation and payment is notified once, whatever the response', async () => {
  const { paymentId, authorisationId, support } = await signedPayment({ 'TPP-Notification-URI': address })
  expect(support).toBe('true')
  const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/)
  await eventually(() => expect(received).toHaveLength(4))
  expect(received).toEqual(
    expect.arrayContaining([
      { paymentId, authorisationId, scaStatus: 'psuAuthenticated', requestId },
      { paymentId, authorisationId, scaStatus: 'finalised', requestId },
      { paymentId, transactionStatus: 'ACSP', requestId },
      { paymentId, transactionStatus: 'ACSC', requestId },
    ]),
  )
})

test('a third party that requests the last status only is notified of no other', async () => {
  const { paymentId } = await signedPayment({
    'TPP-Notification-URI': address,
    'TPP-Notification-Content-Preferred': 'status=LAST',
  })
  await eventually(() => expect(received).toMatchObject([{ paymentId, transactionStatus: 'ACSC' }]))
})

test('a URL given with the authorisation replaces the first', async () => {
  const paymentId = await tpp.pay({}, { 'TPP-Notification-URI': 'http://127.0.0.1:9/nobody' })
  const headers = { ...userHeaders, 'TPP-Notification-URI': address }
  const { id } = await tpp.authorise(`${PAYMENTS}/${paymentId}/authorisations`, headers)
  await tpp.control('POST', `/authorisations/${id}/reject`)
  await eventually(() => expect(received).toContainEqual(expect.objectContaining({ scaStatus: 'failed' })))
})

test('a consent that a newer one ends is notified', async () => {
  const consentId = await tpp.consent({}, { 'TPP-Notification-URI': address })
  await tpp.consent()
  await eventually(() =>
    expect(received).toContainEqual(expect.objectContaining({ consentId, consentStatus: 'terminatedByTpp' })),
  )
})

test('without a URL nothing is notified', async () => {
  expect(await signedPayment({})).toMatchObject({ support: 'false' })
  expect(received).toEqual([])
})

test('a third party with a bulk is notified when a payment in it changes, also when the status of the bulk stays the same', async () => {
  const fjell = bulkTestClient(() => tested, 'FJELNO22')
  const headers = { 'TPP-Notification-URI': address, 'TPP-Notification-Content-Preferred': 'status=PROCESS' }
  const paymentId = (await fjell.order(['1.00', '2.00', '3.00'], {}, headers)).text('paymentId')
  await fjell.sign(`${fjell.bulks}/${paymentId}`)
  await tpp.control('POST', `/payments/${paymentId}/settle`)
  for (const position of [0, 1]) {
    const transactionStatus = 'RJCT'
    await tpp.control('POST', `/payments/${paymentId}/elements/${position}/status`, { transactionStatus })
  }
  await eventually(() => expect(received).toHaveLength(4))
  const statuses = received.map((reported) => String((reported as { transactionStatus?: string }).transactionStatus))
  expect(statuses.filter((status) => status === 'PART')).toHaveLength(2)
})
