/** Tests multiple signatures: one per user, and the payment waits for all of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankTestClient, errorSummary } from '../../testing/bank-test-client.ts'
import { bankTestData } from '../../testing/bank-test-data.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'
import { headersOf } from '../../testing/third-party.ts'

let tested: TestBank
beforeAll(async () => {
  tested = await startTestBank()
})
afterAll(() => tested.close())

/** A payment that two operators sign, and what they do. */
async function forTwo(bic: string) {
  const { bank, tpp, place } = bankTestClient(() => tested, bic)
  const placed = await place({ debtorAccount: bank.account.twoSigners })
  const payment = `${bank.payments}/${placed.text('paymentId')}`
  const status = async () => (await tpp.send('GET', `${payment}/status`)).text('transactionStatus')
  const ask = (user: string) =>
    tpp.send('POST', `${payment}/authorisations`, { body: {}, headers: { ...headersOf(bank), 'PSU-ID': user } })
  return { bank, tpp, payment, status, ask, sign: (user: string) => tpp.sign(`${payment}/authorisations`, user) }
}

test.each(bankTestData.map(({ bic }) => bic))(
  '%s accepts each signature once, and waits for the second person',
  async (bic) => {
    const { bank, status, ask, sign } = await forTwo(bic)
    await sign(bank.user)
    expect(await status()).toBe('PATC')
    expect(errorSummary(await ask(bank.user)).slice(0, 2)).toEqual([409, 'STATUS_INVALID'])
    expect(await status()).toBe('PATC')
    await sign(bank.secondUser)
    expect(await status()).toBe(bank.statuses.executing)
  },
)

describe('a user who has signed', () => {
  test('is rejected on the page on which another user should sign', async () => {
    const { bank, tpp, payment, status, sign } = await forTwo('FJORNO22')
    await sign(bank.user)
    const headers = { ...headersOf(bank), 'PSU-ID': bank.secondUser }
    const { link } = await tpp.authorise(`${payment}/authorisations`, headers)
    const page = await (await fetch(link)).text()
    expect([page.includes(bank.user), page.includes(bank.secondUser)]).toEqual([false, true])
    const again = await fetch(link, { method: 'POST', body: new URLSearchParams({ userId: bank.user }) })
    expect([again.status, (await again.text()).includes('has signed already')]).toEqual([403, true])
    expect(await status()).toBe('PATC')
  })

  test('may sign again once signatures were revoked', async () => {
    const { bank, tpp, payment, status, sign } = await forTwo('FJORNO22')
    await sign(bank.user)
    await tpp.control('POST', `/payments/${payment.split('/').at(-1)}/take-back`)
    await sign(bank.user)
    expect(await status()).toBe('PATC')
  })

  test('may sign another payment', async () => {
    const [one, other] = [await forTwo('FJORNO22'), await forTwo('FJORNO22')]
    await one.sign(one.bank.user)
    await other.sign(one.bank.user)
    expect(await other.status()).toBe('PATC')
  })
})
