/** Tests the bank with the embedded approach, where the third party would collect the user's password. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankTestClient, errorSummary } from '../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

const { bank, tpp, place } = bankTestClient(() => tested, 'FJORNO22')
const WANTS_PASSWORD = '77000000012'
const headers = { ...headersOf(bank), 'PSU-ID': WANTS_PASSWORD }

test('offers the password method only, and accepts none', async () => {
  const placed = await place({}, headers)
  expect(placed.headers.get('aspsp-sca-approach')).toBe('EMBEDDED')
  const payment = `${bank.payments}/${placed.text('paymentId')}`
  const started = await tpp.send('POST', `${payment}/authorisations`, { body: {}, headers })
  expect([started.status, started.headers.get('aspsp-sca-approach')]).toEqual([201, 'EMBEDDED'])
  const path = `${payment}/authorisations/${started.text('authorisationId')}`
  const own = { href: expect.stringContaining(path) }
  expect(started.body).toMatchObject({
    scaStatus: 'received',
    _links: { updatePsuAuthentication: own, scaStatus: own },
  })
  expect(started.body).not.toHaveProperty('_links.scaRedirect')
  const typed = await tpp.send('PUT', path, { body: { psuData: { password: 'secret' } } })
  expect(errorSummary(typed)).toEqual([401, 'PSU_CREDENTIALS_INVALID', undefined])
  const now = Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now'))
  await tpp.control('POST', '/clock', { now: now.add({ seconds: 30 }).toString() })
  expect((await tpp.send('GET', path)).body).toEqual({ scaStatus: 'received' })
  expect((await tpp.send('GET', `${payment}/status`)).text('transactionStatus')).toBe('RCVD')
})
