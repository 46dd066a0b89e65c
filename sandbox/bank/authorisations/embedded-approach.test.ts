/** Guarantees of the bank that would have a user's password typed at the third party. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal, visitTo } from '../../testing/bank-test-client.ts'
import { type BankForTests, startBankForTests } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

let tested: BankForTests
beforeAll(async () => {
  tested = await startBankForTests()
})
afterAll(() => tested.close())

const { bank, tpp, place } = visitTo(() => tested, 'FJORNO22')
const WANTS_PASSWORD = '77000000012'
const headers = { ...headersOf(bank), 'PSU-ID': WANTS_PASSWORD }

test('offers nothing but the password, and takes none', async () => {
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
  expect(refusal(typed)).toEqual([401, 'PSU_CREDENTIALS_INVALID', undefined])
  const now = Temporal.Instant.from((await tpp.control('GET', '/clock')).text('now'))
  await tpp.control('POST', '/clock', { now: now.add({ seconds: 30 }).toString() })
  expect((await tpp.send('GET', path)).body).toEqual({ scaStatus: 'received' })
  expect((await tpp.send('GET', `${payment}/status`)).text('transactionStatus')).toBe('RCVD')
})
