/** Shows the outcome of payments with exchange when the bank rejects the funding order or its cancellation. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { type ExchangeFixture, startExchangeFixture } from '../testing/fx/exchange-fixture.ts'
import { fromAccount, toAccount } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment, dollarSupplier } from '../testing/payments/sample-cross-border-payments.ts'
import { domesticPayment } from '../testing/payments/sample-payments.ts'

/** Hours pass stop by stop, here, at the bank and at the provider. */
const TIMEOUT_MILLISECONDS = 180_000
const options = { timeout: TIMEOUT_MILLISECONDS }
/** It does not support cancellation. */
const KEEPS_ORDERS = nordicBank('LIMFDK22')
/** The sandbox bank rejects orders of this amount: it rejects the creditor's account. */
const REJECTED_AMOUNT = '7732.00'

let stage: ExchangeFixture
beforeAll(async () => {
  stage = await startExchangeFixture()
}, TIMEOUT_MILLISECONDS)
afterAll(() => stage.close())

it(
  'is Cancelled where the bank does not cancel the order, and funds that arrive later are returned',
  options,
  async () => {
    const { gateway, payer, pass, passDays, detailOf, dealOf } = stage
    const { client } = gateway
    const { paymentId, intermediaryAccount } = await client.initiateCrossBorderPayment({
      ...(await payer.consentOf(KEEPS_ORDERS)),
      body: dollars(KEEPS_ORDERS),
    })
    await pass('PT3M')
    expect(await detailOf(paymentId)).toMatchObject({ paymentStatus: { status: 'Cancelled' }, finalStatus: false })
    expect(await dealOf(paymentId)).toBe('cancelled')
    expect(await tasksOf(paymentId)).toEqual(['CannotBeWithdrawn'])

    await client.stepSandboxPayment({ params: { paymentId, step: 'sign' }, body: { userId: KEEPS_ORDERS.users[0] } })
    await client.stepSandboxPayment({ params: { paymentId, step: 'settle' }, body: {} })
    await pass('PT1H')
    expect(await receiptsOf(paymentId)).toEqual(['held'])
    expect(await detailOf(paymentId)).toMatchObject({ paymentStatus: { status: 'Cancelled' }, finalStatus: false })
    // The cost of the cancelled deal is taken from our own balance at the provider.
    const { iban } = intermediaryAccount?.account ?? {}
    await stage.fx.control('/arrivals', { iban, amount: '100.00', reference: 'Our own' })
    await passDays(9)
    expect(await receiptsOf(paymentId)).toEqual(['returned'])
    expect((await detailOf(paymentId)).paymentStatus.status).toBe('Cancelled')
  },
)

it('is ordered where messages to other banks are short', options, async () => {
  const { gateway, payer } = stage
  const bank = nordicBank('MALBSESS')
  await payer.nextMorning()
  const ordered = await gateway.client.initiateCrossBorderPayment({
    ...(await payer.consentOf(bank)),
    body: dollars(bank),
  })
  expect(ordered.paymentStatus.status).toBe('Unsigned')
  expect(await payer.sign(bank, ordered.paymentId)).toMatchObject({ status: 'InProgress' })
  await stage.passDays(5)
  expect(await stage.detailOf(ordered.paymentId)).toMatchObject({ paymentStatus: { status: 'Completed' } })
})

it('leaves nothing where the bank rejects the order', options, async () => {
  const { gateway, payer, bank, invoice, countOf } = stage
  const { client, context } = gateway
  await payer.nextMorning()
  const quote = await client.quoteExchange({ body: sold(invoice(), bank) })
  expect(quote.costAmount).toEqual({ amount: REJECTED_AMOUNT, currency: bank.currency })
  const payments = await countOf('payments')
  const paying = {
    ...fromAccount(bank, bank.main),
    ...toAccount(quote.intermediaryAccount.account.bban, quote.intermediaryAccount.contactInformation.name),
    amount: quote.costAmount,
    dueDate: invoice().dueDate,
    remittanceInformation: { type: 'message' as const, value: quote.referenceCode },
  }
  await expect(
    client.initiateDomesticPayment({ ...(await payer.consentOf(bank)), body: domesticPayment(gateway, paying) }),
  ).rejects.toMatchObject({ status: 422, validationErrors: [{ code: 'InvalidAccountNumber' }] })
  await gateway.sweep()
  expect(await countOf('payments')).toBe(payments)
  const { rows } = await context.database.pool.query<{ state: string }>(
    'select state from fx_deals where quote_id = $1',
    [quote.quoteId],
  )
  expect(rows.map(({ state }) => state)).toEqual(['cancelled'])
})

function dollars(bank: NordicBank): CrossBorderPayment {
  const from = { bban: bank.main, currency: bank.currency }
  const amount = { amount: '1000.00', currency: 'USD' }
  return crossBorderPayment(stage.gateway, bank, from, { to: dollarSupplier, amount })
}

/** So many kroner into dollars. */
function sold({ from, to, metadata, dueDate, remittanceInformation }: CrossBorderPayment, bank: NordicBank) {
  const { companyName: name, organizationNumber, countryCode: country } = bank
  const { bban, bic } = from.account
  return {
    metadata: { ...metadata, organizationCountryCode: country, organizationNumber },
    from: {
      ...{ bban, bic, currency: bank.currency, country },
      contactInformation: { name, address: from.contactInformation.address },
    },
    to: {
      account: { ...to.account, bban: to.account.bban ?? '' },
      contactInformation: to.contactInformation,
      currency: 'USD',
    },
    amount: { amount: REJECTED_AMOUNT, currency: bank.currency },
    dueDate,
    remittanceInformation: { unstructured: remittanceInformation.message },
  }
}

async function tasksOf(paymentId: string): Promise<readonly string[]> {
  const { rows } = await stage.gateway.context.database.pool.query<{ kind: string }>(
    'select kind from operator_tasks where subject_id = $1 order by kind',
    [paymentId],
  )
  return rows.map(({ kind }) => kind)
}

async function receiptsOf(paymentId: string): Promise<readonly string[]> {
  const { rows } = await stage.gateway.context.database.pool.query<{ state: string }>(
    'select r.state from fx_inbound_funds r join fx_deals d on d.partner_id = r.partner_id and d.id = r.deal_id where d.payment_id = $1',
    [paymentId],
  )
  return rows.map(({ state }) => state)
}
