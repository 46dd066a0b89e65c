/** Journey: USD invoices are paid from NOK accounts if signed in time; otherwise nothing happens. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { QUOTE_VALIDITY_SECONDS } from '../fx/store/quote.ts'
import { type ExchangeFixture, startExchangeFixture } from '../testing/fx/exchange-fixture.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'

/** Minutes pass stop by stop, here, at the bank and at the provider. */
const TIMEOUT_MILLISECONDS = 120_000

let stage: ExchangeFixture
beforeAll(async () => {
  stage = await startExchangeFixture()
}, TIMEOUT_MILLISECONDS)
beforeEach(async () => void (await stage.payer.nextMorning()), TIMEOUT_MILLISECONDS)
afterAll(() => stage.close())

describe('an invoice in dollars', { timeout: TIMEOUT_MILLISECONDS }, () => {
  it('is paid out once its funding is signed and has arrived', async () => {
    const { payer, bank, order, passDays, detailOf, dealOf } = stage
    const initiated = await order()
    expect(initiated.paymentStatus.status).toBe('Unsigned')
    expect(initiated.costAmount).toMatchObject({ currency: 'NOK' })
    expect(Number(initiated.costAmount?.amount)).toBeGreaterThan(9000)
    const signed = await payer.sign(bank, initiated.paymentId)
    expect(signed.status).toBe('InProgress')
    expect(await dealOf(initiated.paymentId)).toBe('confirmed')
    await passDays(5)
    expect(await dealOf(initiated.paymentId)).toBe('paid')
    const detail = await detailOf(initiated.paymentId)
    expect(detail).toMatchObject({
      amount: { amount: '1000.00', currency: 'USD' },
      costAmount: initiated.costAmount,
      exchangeRate: initiated.exchangeRate,
      paymentStatus: { status: 'Completed' },
      finalStatus: true,
      funding: { status: 'Arrived', amount: initiated.costAmount },
      payout: { status: 'Completed', amount: { amount: '1000.00', currency: 'USD' } },
    })
    expect(detail.timeline?.map(({ event }) => event)).toEqual([
      'Quoted',
      'Booked',
      'Signed',
      'Funded',
      'PayoutOrdered',
      'PaidOut',
    ])
    expect(detail.statusHistory.map(({ status }) => status)).toEqual(['Unsigned', 'InProgress', 'Completed'])
  })

  it('leaves its user nine tenths of the time to sign, and shows what is signed', async () => {
    const { gateway, payer, bank, order } = stage
    const { paymentId, quoteExpiryTime = '', costAmount, exchangeRate } = await order()
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const { sca } = await gateway.client.approvePayments({ ...(await payer.consentOf(bank)), body })
    const left = Temporal.Instant.from(quoteExpiryTime).since(gateway.context.clock.now()).total('seconds')
    expect(left / QUOTE_VALIDITY_SECONDS.dueToday).toBeGreaterThanOrEqual(0.9)
    const page = await fetch(sca?.type === 'redirect' ? sca.url : '', { headers: { 'accept-language': 'en' } })
    const text = (await page.text()).replaceAll('\u00a0', ' ')
    const cost = costAmount?.amount.replace(/^(\d)(\d{3})/, '$1 $2')
    for (const shown of [
      'Acme Tools Inc',
      '123456789',
      '1 000.00 USD',
      `${cost} NOK`,
      `${exchangeRate} NOK`,
      'Sign before',
    ]) {
      expect(text).toContain(shown)
    }
  })

  it('ends as Rejected when the creditor’s bank returns the payout', async () => {
    const { fx, payer, bank, order, passDays, detailOf, dealOf } = stage
    await fx.fault('payment-returned', { times: 1 })
    const { paymentId } = await order()
    await payer.sign(bank, paymentId)
    await passDays(6)
    expect(await detailOf(paymentId)).toMatchObject({
      paymentStatus: { status: 'Rejected' },
      payout: { status: 'Returned', returnedAmount: { amount: '1000.00', currency: 'USD' } },
    })
    expect(['returned', 'refunded']).toContain(await dealOf(paymentId))
  })

  it('is cancelled at bank and provider when it is not signed in time', async () => {
    const { order, pass, detailOf, dealOf } = stage
    const { paymentId } = await order()
    await pass('PT1M50S')
    expect((await detailOf(paymentId)).paymentStatus.status).toBe('Unsigned')
    await pass('PT20S')
    expect(await detailOf(paymentId)).toMatchObject({
      paymentStatus: { status: 'Cancelled' },
      finalStatus: true,
      funding: { status: 'NotFunded' },
      payout: { status: 'Undone' },
    })
    expect(await dealOf(paymentId)).toBe('cancelled')
  })
})
