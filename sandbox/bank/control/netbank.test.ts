/** Tests actions in the bank's netbank, without the third party. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../gateway/platform/ids.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { INGRID, KARI, OLA, PAYMENTS, thirdPartyOf } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())
const tpp = thirdPartyOf(() => tested.bank)
beforeEach(async () => {
  await tpp.control('POST', '/reset')
})

const TWO_SIGNERS = { debtorAccount: { bban: '80501100041' } }
const statusOf = async (id: string) => (await tpp.send('GET', `${PAYMENTS}/${id}/status`)).text('transactionStatus')
const sign = async (id: string, userId: string) =>
  (await tpp.control('POST', `/payments/${id}/sign`, { userId })).status

describe('a payment that two users must sign', () => {
  test('is signed by one and then the other', async () => {
    const id = await tpp.pay(TWO_SIGNERS)
    expect(await sign(id, KARI)).toBe(200)
    expect(await statusOf(id)).toBe('PATC')
    expect(await sign(id, KARI)).toBe(409)
    expect(await sign(id, OLA)).toBe(200)
    expect(await statusOf(id)).toBe('ACSP')
    expect(await sign(id, OLA)).toBe(409)
  })

  test('is signed by one there and by the other through the third party', async () => {
    const id = await tpp.pay(TWO_SIGNERS)
    await sign(id, KARI)
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`, OLA)
    expect(await statusOf(id)).toBe('ACSP')
  })

  test('cannot be signed there by the user who signed through the third party', async () => {
    const id = await tpp.pay(TWO_SIGNERS)
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`, KARI)
    expect(await sign(id, KARI)).toBe(409)
    expect(await sign(id, OLA)).toBe(200)
    expect(await statusOf(id)).toBe('ACSP')
  })

  test('loses its signature there when the signatures are revoked', async () => {
    const id = await tpp.pay(TWO_SIGNERS)
    await sign(id, KARI)
    await tpp.control('POST', `/payments/${id}/take-back`)
    expect(await sign(id, OLA)).toBe(200)
    expect(await statusOf(id)).toBe('PATC')
  })

  test('shows the third party the effect and no authorisation', async () => {
    const id = await tpp.pay(TWO_SIGNERS)
    await sign(id, KARI)
    const { body } = await tpp.send('GET', `${PAYMENTS}/${id}/authorisations`)
    expect(body).toEqual({ authorisationIds: [] })
  })
})

describe('a user without the right to pay', () => {
  test.each([INGRID, '199081150100', 'nobody'])('as %s neither signs nor cancels', async (userId) => {
    const id = await tpp.pay()
    expect(await sign(id, userId)).toBe(403)
    expect((await tpp.control('POST', `/payments/${id}/cancel`, { userId })).status).toBe(403)
    expect(await statusOf(id)).toBe('RCVD')
  })
})

test('a user cancels, once', async () => {
  const id = await tpp.pay()
  expect((await tpp.control('POST', `/payments/${id}/cancel`, { userId: OLA })).status).toBe(200)
  expect(await statusOf(id)).toBe('CANC')
  expect((await tpp.control('POST', `/payments/${id}/cancel`, { userId: OLA })).status).toBe(409)
  expect(await sign(id, KARI)).toBe(409)
})

test.each(['sign', 'cancel', 'release', 'take-back', 'settle'])('an unknown payment rejects %s', async (word) => {
  expect((await tpp.control('POST', `/payments/${newId()}/${word}`, {})).status).toBe(404)
})

describe('a consent', () => {
  test('ends once', async () => {
    const id = await tpp.consent()
    const end = (consentStatus: string) => tpp.control('POST', `/consents/${id}/status`, { consentStatus })
    expect((await end('valid')).status).toBe(400)
    expect((await end('revokedByPsu')).status).toBe(200)
    const again = await end('expired')
    expect([again.status, again.text('message')]).toEqual([409, 'The consent is revokedByPsu already'])
    expect((await tpp.control('POST', `/consents/${newId()}/status`, { consentStatus: 'expired' })).status).toBe(404)
  })

  test('is listed by its bank', async () => {
    const consentId = await tpp.consent()
    expect((await tpp.control('GET', '/consents?bank=FJORNO22')).body).toMatchObject([{ consentId }])
    expect((await tpp.control('GET', '/consents?bank=HAVBNO22')).body).toEqual([])
  })
})

test('a fault that could never occur is rejected', async () => {
  const fault = (changes: object) =>
    tpp.control('POST', '/faults', {
      bank: 'FJORNO22',
      operation: 'initiatePayment',
      effect: 'drop-request',
      ...changes,
    })
  expect((await fault({ operation: 'initiatePayments' })).text('message')).toContain('There is no operation')
  expect((await fault({ bank: 'OTHERNO2' })).status).toBe(400)
  expect((await fault({ effect: 'sleepy' })).status).toBe(400)
  expect((await fault({ operation: 'startPaymentCancellationAuthorisation', times: 1 })).status).toBe(200)
  expect((await fault({ operation: '*', times: 1 })).status).toBe(200)
})
