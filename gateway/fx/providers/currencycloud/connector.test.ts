/** Tests the connector's requests, and its results from recorded responses, over HTTP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseMoney } from '../../../platform/money.ts'
import { openConnector, type TestConnector } from '../../testing/connector-for-tests.ts'
import {
  openRecordedProvider,
  type RecordedProvider,
  recorded,
  recordedCalls,
} from '../../testing/recorded-provider.ts'
import type { Beneficiary } from '../beneficiary.ts'
import type { FxProvider } from '../fx-provider.ts'
import type { FxProviderError } from '../fx-provider-error.ts'
import type { PayoutOrder } from '../payout.ts'

let played: RecordedProvider
let connector: TestConnector
let provider: FxProvider
beforeEach(async () => {
  played = await openRecordedProvider()
  connector = openConnector(played.url)
  provider = connector.provider
})
afterEach(async () => {
  await connector.close()
  await played.close()
})

const money = (amount: string, currency: string) => parseMoney(amount, currency) ?? { minor: -1n, currency }
const ID = '81b23958-cde7-4882-a4ae-f0da6a95d6cb'
const REQUEST = '0199-a-request'
const REQUESTED = {
  buyCurrency: 'GBP',
  sellCurrency: 'USD',
  fixedSide: 'buy',
  amount: money('10000.00', 'GBP'),
  conversionDate: null,
} as const
const QUOTE = {
  providerQuoteId: '3c25ce4a-3552-45bb-869e-406c795052aa',
  buy: money('95000.00', 'USD'),
  sell: money('67476.38', 'GBP'),
  fixedSide: 'buy',
  conversionDate: Temporal.PlainDate.from('2018-07-18'),
} as const
const BOOKING = { quote: QUOTE, requestId: REQUEST, reason: 'Invoice 7' } as const
const RECEIVER: Beneficiary = {
  name: 'Test User',
  entityType: 'company',
  bankCountry: 'GB',
  currency: 'GBP',
  account: { bban: '12345678' },
  clearingCode: '123456',
  address: { country: 'GB', street: '1 High Street', city: 'London', postCode: 'E1 6FQ' },
}
const ORDER: PayoutOrder = {
  requestId: REQUEST,
  beneficiaryId: 'de0eaad6-bb04-4bfe-acc7-a4ce44e4e606',
  amount: money('1000.00', 'GBP'),
  conversionId: ID,
  reference: 'Invoice 7',
  reason: 'Goods',
  purposeCode: null,
  method: 'regular',
  payer: {
    entityType: 'company',
    name: 'Nordlys Handel AS',
    country: 'NO',
    city: 'Oslo',
    address: 'Storgata 1',
    postCode: '0155',
    organisationNumber: '987654325',
  },
}
const booked = (change = {}) => {
  const [created] = recordedCalls('conversion-cancelled')
  return { status: 200, body: { ...created?.response, unique_request_id: REQUEST, ...change } }
}
const kindOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown as FxProviderError,
  )
  return error?.kind
}

describe('rates', () => {
  test('are requested as a query and returned as bought and sold amount', async () => {
    played.answer('GET /v2/rates/detailed', recorded('detailed-rate'))
    expect(await provider.rate({ ...REQUESTED, conversionDate: Temporal.PlainDate.from('2026-10-09') })).toEqual({
      buy: money('10000.00', 'GBP'),
      sell: money('15234.00', 'USD'),
      fixedSide: 'buy',
    })
    expect(played.requested).toMatchObject([
      {
        contentType: null,
        fields: {
          buy_currency: 'GBP',
          sell_currency: 'USD',
          fixed_side: 'buy',
          amount: '10000.00',
          conversion_date: '2026-10-09',
        },
      },
    ])
  })
})

describe('held rates', () => {
  test.each([
    [60, '120s'],
    [120, '120s'],
    [121, '5m'],
    [3600, '5m'],
  ])('requested for %i seconds are held for %s', async (holdSeconds, period) => {
    played.answer('POST /v2/quotes/create', recorded('held-quote'))
    const requested = { buyCurrency: 'USD', sellCurrency: 'EUR', fixedSide: 'sell', conversionDate: null } as const
    expect(await provider.quote({ ...requested, amount: money('100', 'EUR'), holdSeconds })).toMatchObject({
      providerQuoteId: '3c25ce4a-3552-45bb-869e-406c795052aa',
      buy: money('118.56', 'USD'),
      sell: money('100.00', 'EUR'),
      holdsUntil: Temporal.Instant.from('2026-04-22T14:00:31Z'),
    })
    expect(played.requested).toMatchObject([
      {
        contentType: 'application/x-www-form-urlencoded',
        fields: { amount: '100.00', fixed_side: 'sell', hold_period: period },
      },
    ])
  })
})

test('a price of another amount or currency than the requested one is none', async () => {
  for (const change of [
    { client_buy_amount: '9999.99' },
    { client_buy_currency: 'EUR' },
    { client_sell_currency: 'EUR' },
  ]) {
    played.answer('GET /v2/rates/detailed', recorded('detailed-rate', change))
    expect(await kindOf(provider.rate(REQUESTED)), JSON.stringify(change)).toBe('unreadable')
  }
  played.answer('POST /v2/quotes/create', recorded('held-quote'))
  expect(await kindOf(provider.quote({ ...REQUESTED, holdSeconds: 60 }))).toBe('unreadable')
})

describe('booking', () => {
  test('repeats the quote and sends our request id', async () => {
    played.answer('POST /v2/conversions/create', booked())
    expect(await provider.book(BOOKING)).toEqual({
      id: ID,
      state: 'awaiting-funds',
      providerStatus: 'awaiting_funds',
      buy: QUOTE.buy,
      sell: QUOTE.sell,
      settlesAt: Temporal.Instant.from('2018-07-18T15:30:00Z'),
      requestId: REQUEST,
    })
    expect(played.requested.map(({ fields }) => fields)).toEqual([
      {
        buy_currency: 'USD',
        sell_currency: 'GBP',
        fixed_side: 'buy',
        amount: '95000.00',
        conversion_date: '2018-07-18',
        quote_id: QUOTE.providerQuoteId,
        term_agreement: 'true',
        reason: 'Invoice 7',
        unique_request_id: REQUEST,
      },
    ])
  })

  test.each(['duplicate_request', 'quote_expired', 'quote_already_used', 'conversion_create_failed'])(
    'rejected with %s is the conversion that was booked before',
    async (code) => {
      played.answer('POST /v2/conversions/create', rejection('conversion_create_failed', code))
      played.answer('GET /v2/conversions/find', { status: 200, body: { conversions: [booked().body] } })
      expect(await provider.book(BOOKING)).toMatchObject({ id: ID, state: 'awaiting-funds' })
      expect(played.requested.at(-1)?.fields).toEqual({ unique_request_id: REQUEST })
    },
  )

  test('rejected without one is a rejection', async () => {
    played.answer('POST /v2/conversions/create', rejection('conversion_create_failed', 'quote_expired'))
    played.answer('GET /v2/conversions/find', { status: 200, body: { conversions: [] } })
    expect(await kindOf(provider.book(BOOKING))).toBe('quote-expired')
  })

  test.each([
    ['breaks off', { status: 200, body: booked().body, cut: true }],
    ['never comes', null],
    ['is a 500', recorded('server-error')],
    ['is no JSON', { status: 200, body: '<html>' }],
    ['has another format', { status: 200, body: { id: ID } }],
    ['has invalid amounts', booked({ client_buy_amount: '95000.001' })],
    ['is a conversion of another amount', booked({ client_buy_amount: '9.00' })],
  ])('whose response %s has an unknown outcome', async (_what, answer) => {
    played.answer('POST /v2/conversions/create', answer)
    expect(await kindOf(provider.book(BOOKING))).toBe('outcome-unknown')
  })

  test('is found by our id, and a foreign one is not', async () => {
    played.answer('GET /v2/conversions/find', {
      status: 200,
      body: { conversions: [booked({ unique_request_id: 'x' }).body] },
    })
    expect(await provider.findConversion(REQUEST)).toBeNull()
    played.answer('GET /v2/conversions/find', { status: 200, body: { conversions: [booked().body] } })
    expect(await provider.findConversion(REQUEST)).toMatchObject({ id: ID, requestId: REQUEST })
  })

  test('at a closed port did not happen', async () => {
    await played.close()
    expect(await kindOf(provider.book(BOOKING))).toBe('unavailable')
  })
})

describe('cancelling', () => {
  const CANCEL = `POST /v2/conversions/${ID}/cancel`
  const EVENTS = 'GET /v2/conversions/profit_and_loss'
  const noEvents = { status: 200, body: { conversion_profit_and_losses: [] } }
  const rejected = rejection('conversion_cancel_failed', 'conversion_cannot_be_cancelled')

  test('reports the loss', async () => {
    played.answer(CANCEL, recorded('conversion-cancelled'))
    expect(await provider.cancelConversion(ID)).toEqual({ loss: money('9.58', 'GBP') })
  })

  test('reports no gain as a loss', async () => {
    played.answer(CANCEL, recorded('conversion-cancelled', { amount: '3.10' }))
    expect(await provider.cancelConversion(ID)).toEqual({ loss: money('0.00', 'GBP') })
  })

  test('stays unknown while its cost cannot be read', async () => {
    played.answer(CANCEL, recorded('conversion-cancelled', { amount: '12,50' }))
    played.answer(EVENTS, noEvents)
    expect(await kindOf(provider.cancelConversion(ID))).toBe('outcome-unknown')
  })

  test.each([
    ['rejected', rejected],
    ['not found', recorded('not-found')],
    ['with an empty response', null],
    ['with a 500', recorded('server-error')],
  ])('%s, is detected by its event', async (_what, answer) => {
    played.answer(CANCEL, answer)
    played.answer(EVENTS, recorded('profit-and-loss'))
    expect(await provider.cancelConversion(ID)).toEqual({ loss: money('0.01', 'GBP') })
    expect(played.requested.at(-1)?.fields).toEqual({ conversion_id: ID, event_type: 'self_service_cancellation' })
  })

  test.each([
    ['trade_settled', 'too-late'],
    ['awaiting_funds', 'unavailable'],
  ])('rejected without an event, of a conversion that is %s, is %s', async (status, kind) => {
    played.answer(CANCEL, rejected)
    played.answer(EVENTS, noEvents)
    played.answer(`GET /v2/conversions/${ID}`, booked({ status }))
    expect(await kindOf(provider.cancelConversion(ID))).toBe(kind)
  })

  test('lost without an event stays unknown', async () => {
    played.answer(CANCEL, null)
    played.answer(EVENTS, noEvents)
    expect(await kindOf(provider.cancelConversion(ID))).toBe('outcome-unknown')
  })

  test.each([
    [recorded('profit-and-loss'), 'cancelled'],
    [noEvents, 'settled'],
  ])('distinguishes a cancelled conversion from a completed one', async (events, state) => {
    played.answer(`GET /v2/conversions/${ID}`, booked({ status: 'closed' }))
    played.answer(EVENTS, events)
    expect(await provider.readConversion(ID)).toMatchObject({ state, providerStatus: 'closed' })
  })
})

test.each([
  ['awaiting_authorisation', 'awaiting-funds'],
  ['funds_sent', 'awaiting-funds'],
  ['funds_being_processed', 'funds-arrived'],
  ['funds_arrived', 'funds-arrived'],
  ['trade_settling', 'funds-arrived'],
  ['trade_settled', 'settled'],
  ['constructor', null],
  ['rolled_forward', null],
])('a conversion that is %s is %s', async (status, state) => {
  played.answer(`GET /v2/conversions/${ID}`, booked({ status }))
  played.answer('GET /v2/conversions/profit_and_loss', { status: 200, body: { conversion_profit_and_losses: [] } })
  expect(await provider.readConversion(ID)).toMatchObject({ state, providerStatus: status })
})

describe('beneficiaries', () => {
  test('are sent with name, address, account and clearing code', async () => {
    played.answer('POST /v2/beneficiaries/validate', recorded('beneficiary-valid'))
    await provider.validateBeneficiary(RECEIVER)
    expect(played.requested.map(({ fields }) => fields)).toEqual([
      {
        bank_country: 'GB',
        currency: 'GBP',
        account_number: '12345678',
        routing_code_type_1: 'sort_code',
        routing_code_value_1: '123456',
        beneficiary_entity_type: 'company',
        beneficiary_company_name: 'Test User',
        beneficiary_country: 'GB',
        beneficiary_address: '1 High Street',
        beneficiary_city: 'London',
        beneficiary_postcode: 'E1 6FQ',
      },
    ])
  })

  test('are created once per request id', async () => {
    const { body } = recorded('beneficiary-created', { beneficiary_external_reference: REQUEST })
    const empty = { status: 200, body: { beneficiaries: [] } }
    played.answer('POST /v2/beneficiaries/find', empty, { status: 200, body: { beneficiaries: [body] } })
    played.answer('POST /v2/beneficiaries/create', { status: 200, body })
    const first = await provider.createBeneficiary(RECEIVER, REQUEST)
    expect(await provider.createBeneficiary(RECEIVER, REQUEST)).toEqual(first)
    expect(played.requested.map(({ path }) => path)).toEqual([
      '/v2/beneficiaries/find',
      '/v2/beneficiaries/create',
      '/v2/beneficiaries/find',
    ])
    expect(played.requested[1]?.fields).toMatchObject({
      name: 'Test User',
      bank_account_holder_name: 'Test User',
      beneficiary_external_reference: REQUEST,
    })
  })

  test('are paid from an account that is domestic to the payer, if there is one', async () => {
    played.answer('GET /v2/funding_accounts/find', recorded('funding-accounts'))
    expect(await provider.intermediaryAccount({ currency: 'GBP', country: 'GB' })).toEqual({
      country: 'GB',
      currency: 'GBP',
      iban: null,
      bban: '012345678',
      bic: null,
      clearingCode: '010203',
      holder: {
        name: 'Jon Doe',
        address: { street: '3rd floor, 2 Finsbury Avenue', city: 'London', postCode: 'EC2M 2PP', country: 'GB' },
      },
    })
    expect(await provider.intermediaryAccount({ currency: 'GBP', country: 'NO' })).toBeNull()
  })
})

describe('payouts', () => {
  const created = (change = {}) => recorded('payment-created', { unique_request_id: REQUEST, ...change })

  test('have conversion, request id and payer', async () => {
    played.answer('POST /v2/payments/create', created())
    expect(await provider.orderPayout(ORDER)).toEqual({
      id: 'efd026f1-5ca1-4266-b530-79f37ac31ca8',
      state: 'waiting',
      providerStatus: 'ready_to_send',
      amount: ORDER.amount,
      requestId: REQUEST,
      failureReason: null,
      returned: null,
    })
    expect(played.requested[0]?.fields).toEqual({
      currency: 'GBP',
      beneficiary_id: ORDER.beneficiaryId,
      amount: '1000.00',
      reason: 'Goods',
      reference: 'Invoice 7',
      unique_request_id: REQUEST,
      payment_type: 'regular',
      conversion_id: ID,
      payer_entity_type: 'company',
      payer_company_name: 'Nordlys Handel AS',
      payer_country: 'NO',
      payer_city: 'Oslo',
      payer_address: 'Storgata 1',
      payer_postcode: '0155',
      payer_identification_type: 'incorporation_number',
      payer_identification_value: '987654325',
    })
  })

  test('rejected as duplicates are found by their request id', async () => {
    played.answer('POST /v2/payments/create', rejection('payment_create_failed', 'duplicate_request'))
    played.answer('GET /v2/payments/find', { status: 200, body: { payments: [created().body] } })
    expect(await provider.orderPayout(ORDER)).toMatchObject({ requestId: REQUEST, state: 'waiting' })
    expect(played.requested.at(-1)?.fields).toEqual({ unique_request_id: REQUEST, with_deleted: 'true' })
  })

  test.each([null, recorded('server-error'), created({ amount: '1.00' })])(
    'without a valid response are unknown',
    async (answer) => {
      played.answer('POST /v2/payments/create', answer)
      expect(await kindOf(provider.orderPayout(ORDER))).toBe('outcome-unknown')
    },
  )

  test.each([
    ['new', 'waiting', null],
    ['submitted', 'sent', null],
    ['released', 'sent', null],
    ['completed', 'completed', null],
    ['suspended', 'held', null],
    ['failed', 'failed', money('990.00', 'GBP')],
    ['deleted', 'deleted', null],
    ['mislaid', null, null],
  ])('that are %s are %s', async (status, state, returned) => {
    played.answer(
      'GET /v2/payments/1',
      created({ status, failure_returned_amount: '990.00', failure_reason: 'No account' }),
    )
    expect(await provider.readPayout('1')).toMatchObject({ state, returned, failureReason: 'No account' })
  })

  test('that failed have no account number in the reason', async () => {
    const reason = 'Account NO93 8601 1117 947 is closed'
    played.answer('GET /v2/payments/1', created({ status: 'failed', failure_reason: reason }))
    expect((await provider.readPayout('1')).failureReason).toBe('Account … is closed')
  })
})

describe('inbound funds', () => {
  const FUNDING = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890'
  const RECORDED = { id: FUNDING, amount: money('1000.00', 'USD') }
  const page = (ids: readonly string[], next: number) => ({
    status: 200,
    body: {
      transactions: ids.map((id) => ({ related_entity_id: id, status: 'completed', completed_at: null })),
      pagination: { next_page: next },
    },
  })

  test('are listed page by page, with their reference', async () => {
    played.answer('GET /v2/transactions/find', page([FUNDING], 2), page([], -1))
    played.answer(`GET /v2/funding_transactions/${FUNDING}`, recorded('funding-transaction'))
    const pages = await Array.fromAsync(provider.inboundFunds(Temporal.Instant.from('2026-10-06T10:00:00.123Z')))
    expect(pages).toEqual([
      [
        {
          id: FUNDING,
          amount: money('1000.00', 'USD'),
          reference: 'ABCD20231016143117',
          receivedAt: Temporal.Instant.from('2022-12-03T10:15:30Z'),
        },
      ],
      [],
    ])
    expect(played.requested[0]?.fields).toMatchObject({
      related_entity_type: 'inbound_funds',
      status: 'completed',
      type: 'credit',
      completed_at_from: '2026-10-06T10:00:00Z',
      order_asc_desc: 'asc',
    })
    expect(played.requested.at(-1)?.fields).toMatchObject({ page: '2' })
  })

  test('are returned as far as they could be read, and not read again', async () => {
    const [first, second] = ['f1', 'f2']
    played.answer('GET /v2/transactions/find', page([first, second], -1))
    played.answer(`GET /v2/funding_transactions/${first}`, recorded('funding-transaction', { id: first }))
    played.answer(`GET /v2/funding_transactions/${second}`, null, recorded('funding-transaction', { id: second }))
    const seen: string[] = []
    const look = async () => {
      for await (const some of provider.inboundFunds(Temporal.Instant.from('2026-10-06T10:00:00Z'))) {
        seen.push(...some.map(({ id }) => id))
      }
    }
    expect(await kindOf(look())).toBe('unavailable')
    expect(seen.splice(0)).toEqual([first])
    await look()
    await look()
    expect(seen).toEqual([first, second, first, second])
    expect(played.requested.filter(({ path }) => path.endsWith(first))).toHaveLength(1)
    expect(played.requested.filter(({ path }) => path.endsWith(second))).toHaveLength(2)
  })

  test.each([
    ['does not exist', recorded('not-found'), 'unknown-resource'],
    ['has an invalid amount', recorded('funding-transaction', { amount: 'much' }), 'unreadable'],
    ['is of nothing', recorded('funding-transaction', { amount: '0.00' }), 'unreadable'],
    ['lacks a field', recorded('funding-transaction', { currency: undefined }), 'unreadable'],
  ])('are listed despite one that %s', async (_what, answer, kind) => {
    played.answer('GET /v2/transactions/find', page(['f1', 'f2'], -1))
    played.answer('GET /v2/funding_transactions/f1', answer)
    played.answer('GET /v2/funding_transactions/f2', recorded('funding-transaction', { id: 'f2' }))
    const reported = (
      await Array.fromAsync(provider.inboundFunds(Temporal.Instant.from('2026-10-06T10:00:00Z')))
    ).flat()
    expect(reported).toMatchObject([
      { id: 'f1', error: { kind } },
      { id: 'f2', reference: 'ABCD20231016143117' },
    ])
  })

  test('that are pending have not arrived', async () => {
    played.answer('GET /v2/transactions/find', {
      status: 200,
      body: { transactions: [{ related_entity_id: FUNDING, status: 'pending' }], pagination: { next_page: -1 } },
    })
    expect(await Array.fromAsync(provider.inboundFunds(Temporal.Instant.from('2026-10-06T10:00:00Z')))).toEqual([[]])
    played.answer(`GET /v2/funding_transactions/${FUNDING}`, recorded('funding-transaction', { completed_at: null }))
    expect(await kindOf(provider.readInboundFunds(FUNDING))).toBe('unavailable')
  })

  test('are returned to their sender under our request id', async () => {
    played.answer(`GET /v2/funding_transactions/${FUNDING}`, recorded('funding-transaction'))
    played.answer('POST /v2/beneficiaries/find', { status: 200, body: { beneficiaries: [] } })
    played.answer('POST /v2/beneficiaries/create', recorded('beneficiary-created'))
    played.answer(
      'POST /v2/payments/create',
      recorded('payment-created', { currency: 'USD', unique_request_id: REQUEST }),
    )
    expect(await provider.returnInboundFunds(RECORDED, REQUEST)).toEqual({
      payoutId: 'efd026f1-5ca1-4266-b530-79f37ac31ca8',
    })
    expect(played.requested[2]?.fields).toMatchObject({
      iban: 'US12345678901234567890',
      bank_account_holder_name: 'John Doe',
    })
    expect(played.requested[3]?.fields).toMatchObject({
      amount: '1000.00',
      currency: 'USD',
      unique_request_id: REQUEST,
      reference: 'RETURN ABCD20231016143117',
    })
  })

  test('of another amount than was recorded are not returned', async () => {
    played.answer(`GET /v2/funding_transactions/${FUNDING}`, recorded('funding-transaction', { amount: '990.00' }))
    expect(await kindOf(provider.returnInboundFunds(RECORDED, REQUEST))).toBe('invalid')
  })

  test('from an unknown sender raise an operator task', async () => {
    played.answer(`GET /v2/funding_transactions/${FUNDING}`, recorded('funding-transaction', { sender: null }))
    expect(await kindOf(provider.returnInboundFunds(RECORDED, REQUEST))).toBe('invalid')
  })
})

test('with an id that would change the path are not requested', async () => {
  expect(await kindOf(provider.readConversion('..'))).toBe('unknown-resource')
  expect(played.requested).toEqual([])
})

function rejection(errorCode: string, code: string, field = 'base') {
  return {
    status: 400,
    body: { error_code: errorCode, error_messages: { [field]: [{ code, message: 'No', params: {} }] } },
  }
}
