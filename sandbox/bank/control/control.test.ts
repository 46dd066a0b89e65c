/** Tests the control API. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { MAIN_ACCOUNT, PAYMENTS, type ThirdParty, thirdPartyOf, userHeaders } from '../../testing/third-party.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())
beforeEach(() => tpp.control('POST', '/reset'))

const statusOf = async (id: string) => (await tpp.send('GET', `${PAYMENTS}/${id}/status`)).text('transactionStatus')
async function mainBalance(): Promise<unknown> {
  const { body } = await tpp.control('GET', '/accounts')
  const accounts = [body].flat().map((one) => Object(one))
  return accounts.find(({ bban }) => bban === MAIN_ACCOUNT)?.balance
}

describe('/control/payments', () => {
  test('lists every payment, oldest first, with its authorisations', async () => {
    const first = await tpp.pay()
    const second = await tpp.pay()
    const { id: authorisationId } = await tpp.authorise(`${PAYMENTS}/${second}/authorisations`)
    expect((await tpp.control('GET', '/payments?bank=FJORNO22')).body).toEqual([
      expect.objectContaining({ paymentId: first, transactionStatus: 'RCVD', authorisations: [] }),
      expect.objectContaining({
        paymentId: second,
        debtorAccount: MAIN_ACCOUNT,
        creditorAccount: '80501200011',
        amount: '1250.00',
        currency: 'NOK',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        createdAt: expect.stringMatching(/Z$/),
        authorisations: [expect.objectContaining({ authorisationId, scaStatus: 'received' })],
      }),
    ])
    expect((await tpp.control('GET', '/payments?bank=OTHERNO2')).body).toEqual([])
  })

  test('lists the payments that a third party would read unchanged', async () => {
    const [same, rejected, noted, signed] = [await tpp.pay(), await tpp.pay(), await tpp.pay(), await tpp.pay()]
    const lastRead = (paymentId: string, transactionStatus = 'RCVD', readAt = new Date().toISOString()) => ({
      paymentId,
      transactionStatus,
      readAt,
    })
    const before = new Date(Date.now() - 60_000).toISOString()
    await tpp.control('POST', `/payments/${rejected}/status`, { transactionStatus: 'RJCT' })
    await tpp.control('POST', `/payments/${noted}/status`, { transactionStatus: 'RCVD' })
    const payments = [
      lastRead(same, 'RCVD', before),
      lastRead(signed, 'ACSP'),
      lastRead(rejected),
      lastRead(noted, 'RCVD', before),
      lastRead('01a20853-a0eb-4000-b8cd-f6cee1f20a64'),
    ]
    expect((await tpp.control('POST', '/payments/unchanged', { payments })).body).toEqual({ unchanged: [same] })
    await tpp.control('POST', '/faults', { bank: 'FJORNO22', operation: 'getPaymentStatus', effect: 'drop-request' })
    expect((await tpp.control('POST', '/payments/unchanged', { payments })).body).toEqual({ unchanged: [] })
    await tpp.control('DELETE', '/faults')
  })

  test('settles at once, but not twice', async () => {
    const id = await tpp.pay()
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    expect((await tpp.control('POST', `/payments/${id}/settle`)).body).toMatchObject({ transactionStatus: 'ACSC' })
    expect((await tpp.control('POST', `/payments/${id}/settle`)).status).toBe(409)
    expect(await mainBalance()).toBe('998750.00')
    await tpp.control('POST', `/payments/${id}/status`, { transactionStatus: 'ACSP' })
    expect((await tpp.control('POST', `/payments/${id}/settle`)).status).toBe(409)
    await tpp.control('POST', `/payments/${id}/status`, { transactionStatus: 'RJCT', reason: 'returned' })
    expect(await mainBalance()).toBe('1000000.00')
  })

  test('sets any status of the standard, and rejects any other; nothing is returned that was not booked', async () => {
    const id = await tpp.pay()
    await tpp.control('POST', `/payments/${id}/status`, { transactionStatus: 'ACCC' })
    expect(await statusOf(id)).toBe('ACCC')
    await tpp.control('POST', `/payments/${id}/status`, { transactionStatus: 'RJCT', reason: 'returned' })
    expect(await mainBalance()).toBe('1000000.00')
    const unknown = await tpp.control('POST', `/payments/${id}/status`, { transactionStatus: 'DONE' })
    expect(unknown.status).toBe(400)
    expect((await tpp.control('POST', '/payments/no-id/settle')).status).toBe(404)
  })
})

describe('/control/authorisations', () => {
  test('simulates a given user, and returns where the browser is redirected', async () => {
    const id = await tpp.pay()
    const { id: authorisationId } = await tpp.authorise(`${PAYMENTS}/${id}/authorisations`)
    const viewer = await tpp.control('POST', `/authorisations/${authorisationId}/sign`, { userId: '03835067890' })
    expect(viewer.status).toBe(403)
    const signed = await tpp.control('POST', `/authorisations/${authorisationId}/sign`, { userId: '02825054321' })
    expect(signed.body).toEqual({ redirect: userHeaders['TPP-Redirect-URI'] })
    expect((await tpp.control('POST', `/authorisations/${id}/sign`)).status).toBe(404)
  })
})

describe('the online bank', () => {
  test('signs and cancels without the third party', async () => {
    const signed = await tpp.pay()
    await tpp.control('POST', `/payments/${signed}/sign`)
    expect(await statusOf(signed)).toBe('ACSP')
    expect((await tpp.control('POST', `/payments/${signed}/sign`)).status).toBe(409)
    const cancelled = await tpp.pay()
    await tpp.control('POST', `/payments/${cancelled}/cancel`)
    expect(await statusOf(cancelled)).toBe('CANC')
    expect((await tpp.control('POST', `/payments/${cancelled}/cancel`)).status).toBe(409)
  })

  test('ends consents', async () => {
    const consentId = await tpp.consent()
    await tpp.control('POST', `/consents/${consentId}/status`, { consentStatus: 'revokedByPsu' })
    expect((await tpp.send('GET', `/consents/${consentId}/status`)).body).toEqual({ consentStatus: 'revokedByPsu' })
    expect((await tpp.control('GET', '/consents')).body).toMatchObject([
      { consentId, consentStatus: 'revokedByPsu', authorisations: [{ scaStatus: 'finalised' }] },
    ])
  })

  test('shows incoming payments from elsewhere', async () => {
    const entry = { amount: '250.50', counterparty: 'Kafé Kaia AS', message: 'Faktura 1200' }
    await tpp.control('POST', `/accounts/${MAIN_ACCOUNT}/entries`, entry)
    await tpp.control('POST', `/accounts/${MAIN_ACCOUNT}/entries`, { ...entry, amount: '-0.50' })
    expect((await tpp.control('GET', '/accounts')).body).toContainEqual(
      expect.objectContaining({ bban: MAIN_ACCOUNT, balance: '1000250.00' }),
    )
  })
})

describe('the control API', () => {
  test('opens the bank again', async () => {
    const id = await tpp.pay()
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`)
    await tpp.control('POST', `/payments/${id}/settle`)
    await tpp.control('POST', '/reset')
    expect((await tpp.control('GET', '/payments')).body).toEqual([])
    expect((await tpp.control('GET', '/accounts')).body).toContainEqual(
      expect.objectContaining({ bban: MAIN_ACCOUNT, balance: '1000000.00' }),
    )
  })

  test('is closed to pages of other sites', async () => {
    const answer = await fetch(`${tested.bank.pagesUrl}/control/reset`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    })
    expect(answer.status).toBe(403)
  })

  test('rejects an invalid balance, a time beyond all, and an unknown account', async () => {
    const entry = { amount: '1.00', counterparty: 'Kafé Kaia AS', pendingSeconds: 9_000_000_000_000 }
    expect((await tpp.control('POST', `/accounts/${MAIN_ACCOUNT}/entries`, entry)).status).toBe(400)
    expect((await tpp.control('POST', `/accounts/${MAIN_ACCOUNT}/balance`, { amount: '-1' })).status).toBe(400)
    expect((await tpp.control('POST', '/accounts/80501100018/balance', { amount: '1.00' })).status).toBe(404)
  })
})
