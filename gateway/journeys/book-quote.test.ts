/** Shows that a cross-border payment books a quote only for the quoted creditor. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import { type ExchangeFixture, startExchangeFixture } from '../testing/fx/exchange-fixture.ts'

let stage: ExchangeFixture
beforeAll(async () => {
  stage = await startExchangeFixture()
}, 120_000)
afterAll(() => stage.close())

/** A quote for an invoice. */
async function quoteFor({
  metadata,
  from,
  to,
  amount,
  dueDate,
  remittanceInformation,
}: CrossBorderPayment): Promise<string> {
  const { organizationNumber = '' } = from
  const { bban, bic, clearingCode } = { bban: '', clearingCode: '', ...to.account }
  const { quoteId } = await stage.gateway.client.quoteExchange({
    body: {
      metadata: { ...metadata, organizationCountryCode: 'NO', organizationNumber },
      from: {
        bban: 'bban' in from.account ? from.account.bban : '',
        bic: from.account.bic,
        contactInformation: from.contactInformation,
        currency: from.currency,
        country: 'NO',
      },
      to: { account: { bban, bic, clearingCode }, contactInformation: to.contactInformation },
      amount,
      dueDate,
      remittanceInformation: { unstructured: remittanceInformation.message },
    },
  })
  return quoteId
}

describe('a quote', () => {
  test('is booked by a payment that references it, whose own message is sent to the creditor', async () => {
    const invoice = stage.invoice()
    const quoteId = await quoteFor(invoice)
    const message = 'Invoice 4711, the second half'
    const paid = await stage.order({ ...invoice, quoteId, remittanceInformation: { message } })
    expect(paid).toMatchObject({ quoteId, paymentStatus: { status: 'Unsigned' } })
    expect(await stage.dealOf(paid.paymentId)).toBe('booked')
  })

  test.each<[string, (to: CrossBorderPayment['to']) => CrossBorderPayment['to']]>([
    ['clearing code', (to) => ({ ...to, account: { ...to.account, clearingCode: '111000025' } })],
    [
      'address',
      ({ contactInformation: { name, address }, ...to }) => ({
        ...to,
        contactInformation: { name, address: { ...address, city: 'Chicago' } },
      }),
    ],
  ])('cannot be used for a creditor with another %s: 422, and nothing is booked', async (_what, changed) => {
    const invoice = stage.invoice()
    const quoteId = await quoteFor(invoice)
    const deals = await stage.countOf('fx_deals')
    await expect(stage.order({ ...invoice, quoteId, to: changed(invoice.to) })).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.to' }],
    })
    expect(await stage.countOf('fx_deals')).toBe(deals)
  })
})
