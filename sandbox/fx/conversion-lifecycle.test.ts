/** Tests a deal at the sandbox's FX provider: from the quote to the completed payment. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestFxProvider, type TestFxProvider } from '../testing/test-fx-provider.ts'

let fx: TestFxProvider
beforeAll(async () => {
  fx = await startTestFxProvider()
  await fx.moveTo('2027-03-02T09:00:00Z')
})
afterAll(() => fx.close())

const requested = { buy_currency: 'USD', sell_currency: 'NOK', fixed_side: 'buy', amount: '1000.00' }

describe('a deal', () => {
  test('goes from a held rate over a booked conversion and its funds to a payment', async () => {
    const quote = await fx.post('/quotes/create', { ...requested, hold_period: '2m' })
    expect(quote.body).toMatchObject({
      client_buy_amount: '1000.0',
      currency_pair: 'USDNOK',
      mid_market_rate: '9.56429142',
    })
    const requestId = randomUUID()
    const booked = await fx.post('/conversions/create', {
      ...requested,
      quote_id: String(quote.body['quote_id']),
      term_agreement: 'true',
      reason: 'HVN7K3M9Q2XAB',
      unique_request_id: requestId,
    })
    expect(booked.body).toMatchObject({ status: 'awaiting_funds', client_sell_amount: '9612.11' })
    const id = String(booked.body['id'])
    await fx.control('/arrivals', { iban: 'NO3380590100009', amount: '9612.11', reference: 'hvn7k3m 9q2xab' })
    expect((await fx.get(`/conversions/${id}`)).body).toMatchObject({ status: 'funds_arrived' })
    const receiver = await fx.post('/beneficiaries/create', {
      name: 'Acme Inc',
      bank_account_holder_name: 'Acme Inc',
      bank_country: 'US',
      currency: 'USD',
      account_number: '123456789',
      routing_code_type_1: 'aba',
      routing_code_value_1: '021000021',
      beneficiary_country: 'US',
      beneficiary_city: 'Boston',
      beneficiary_address: '1 Main Street',
      beneficiary_postcode: '02110',
      bic_swift: 'CHASUS33',
    })
    const paid = await fx.post('/payments/create', {
      currency: 'USD',
      amount: '1000.00',
      beneficiary_id: String(receiver.body['id']),
      conversion_id: id,
      reason: 'Invoice 1',
      reference: 'Invoice 1',
      unique_request_id: randomUUID(),
    })
    expect(paid.body).toMatchObject({ status: 'ready_to_send', payment_date: '2027-03-04' })
    await fx.moveTo('2027-03-04T12:00:00Z')
    expect((await fx.get(`/payments/${paid.body['id']}`)).body).toMatchObject({ status: 'completed' })
    expect((await fx.get(`/conversions/${id}`)).body).toMatchObject({ status: 'closed' })
    for (const currency of ['NOK', 'USD']) {
      const { body } = await fx.get('/transactions/find', { currency, order_asc_desc: 'desc' })
      expect([body['transactions']].flat()[0]).toMatchObject({ balance_amount: '0.00' })
    }
  })
})
