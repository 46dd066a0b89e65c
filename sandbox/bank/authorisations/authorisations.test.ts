/** Tests the authorisation operations of XS2A. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { KARI, OLA, order, PAYMENTS, type ThirdParty, thirdPartyOf, userHeaders } from '../../testing/third-party.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())

describe('authorisations of a payment', () => {
  test('are listed, with what the user did', async () => {
    const id = await tpp.pay()
    const path = `${PAYMENTS}/${id}/authorisations`
    const { id: authorisationId } = await tpp.authorise(path)
    expect((await tpp.send('GET', path)).body).toEqual({ authorisationIds: [authorisationId] })
    expect((await tpp.send('GET', `${path}/${authorisationId}`)).body).toEqual({ scaStatus: 'received' })
    await tpp.control('POST', `/authorisations/${authorisationId}/sign`)
    expect((await tpp.send('GET', `${path}/${authorisationId}`)).body).toMatchObject({ scaStatus: 'finalised' })
  })

  test('replace one of the same user, also one in a browser, and leave another user’s in a browser open', async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    const stateOf = async ({ id }: { id: string }) => (await tpp.send('GET', `${path}/${id}`)).text('scaStatus')
    const first = await tpp.authorise(path)
    const second = await tpp.authorise(path)
    expect(await stateOf(first)).toBe('failed')
    await fetch(second.link)
    const third = await tpp.authorise(path)
    expect(await stateOf(second)).toBe('failed')
    await fetch(third.link)
    const others = await tpp.send('POST', path, { body: {}, headers: { ...userHeaders, 'PSU-ID': OLA } })
    expect(others.status).toBe(201)
    expect(await stateOf(third)).not.toBe('failed')
  })

  test('are rejected once the payment is signed', async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    await tpp.sign(path)
    const rejected = await tpp.send('POST', path, { body: {}, headers: userHeaders })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([409, 'STATUS_INVALID'])
  })

  test('may be signed by another user of the company with the right to pay', async () => {
    const id = await tpp.pay()
    await tpp.sign(`${PAYMENTS}/${id}/authorisations`, OLA)
    const { body } = await tpp.control('GET', '/payments?bank=FJORNO22')
    expect(body).toContainEqual(
      expect.objectContaining({
        paymentId: id,
        psuId: KARI,
        authorisations: [expect.objectContaining({ signerId: OLA, outcome: 'approved', scaStatus: 'finalised' })],
      }),
    )
  })

  test("are not updated by a third party: users identify on the bank's pages", async () => {
    const path = `${PAYMENTS}/${await tpp.pay()}/authorisations`
    const { id } = await tpp.authorise(path)
    const rejected = await tpp.send('PUT', `${path}/${id}`, { body: { psuData: { password: 'x' } } })
    expect([rejected.status, rejected.text('tppMessages.0.code')]).toEqual([405, 'SERVICE_INVALID'])
  })

  test('require a URL for the redirect back', async () => {
    const { 'TPP-Redirect-URI': _left, ...headers } = userHeaders
    const made = await tpp.send('POST', PAYMENTS, { body: order(), headers })
    const path = `${PAYMENTS}/${made.text('paymentId')}/authorisations`
    const rejected = await tpp.send('POST', path, { body: {}, headers })
    expect([rejected.status, rejected.body]).toEqual([
      400,
      { tppMessages: [expect.objectContaining({ code: 'FORMAT_ERROR', path: 'TPP-Redirect-URI' })] },
    ])
  })
})
