/** Tests quotes and conversions: held rates, idempotent booking, and the cost of cancelling. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, startTestFxProvider, type TestFxProvider } from '../../testing/test-fx-provider.ts'

const MORNING = '2027-03-02T09:00:00Z'

let fx: TestFxProvider
beforeAll(async () => {
  fx = await startTestFxProvider()
})
afterAll(() => fx.close())
beforeEach(async () => {
  await fx.control('/faults', undefined, 'DELETE')
  await fx.moveTo(MORNING)
})

const pair = { buy_currency: 'USD', sell_currency: 'NOK', fixed_side: 'buy', amount: '1000.00' }

async function quoteOf(changes: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return await fx.post('/quotes/create', { ...pair, hold_period: '2m', ...changes })
}

async function book(changes: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return await fx.post('/conversions/create', {
    ...pair,
    term_agreement: 'true',
    reason: 'Payment HVN1234567890',
    unique_request_id: randomUUID(),
    ...changes,
  })
}

const codesOf = ({ body }: Answer): readonly string[] =>
  Object.values(Object(body['error_messages'])).flatMap((validationErrors) =>
    [validationErrors].flat().map((validationError) => String(Object(validationError).code)),
  )

describe('a quote', () => {
  test('is held for the agreed time, and returns the end', async () => {
    const { body } = await quoteOf({ hold_period: '5m' })
    const held = Temporal.Instant.from(String(body['created_at'])).until(String(body['expires_at']))
    expect(held.total('seconds')).toBe(300)
  })

  test.each(['2', '7m', '120', '1h', ''])('is rejected for %j, which was not agreed', async (hold_period) => {
    expect(codesOf(await quoteOf({ hold_period }))).toEqual(['invalid_hold_period'])
  })

  test.each([
    ['an unsupported currency', { buy_currency: 'KPW' }, 'ccy_pair_is_not_tradeable'],
    ['one currency', { buy_currency: 'NOK' }, 'ccy_pair_is_not_tradeable'],
    ['nothing', { amount: '0.00' }, 'amount_is_too_small'],
    ['words', { amount: 'much' }, 'amount_type_is_wrong'],
    ['a negative amount', { amount: '-5.00' }, 'amount_type_is_wrong'],
    ['cents of yen', { buy_currency: 'JPY', amount: '100.5' }, 'invalid_decimals'],
    ['a Sunday', { conversion_date: '2027-03-07' }, 'invalid_delivery_date'],
    ['yesterday', { conversion_date: '2027-03-01' }, 'invalid_delivery_date'],
    ['a Norwegian holiday', { conversion_date: '2027-03-25' }, 'invalid_delivery_date'],
    [
      'two dates',
      { conversion_date: '2027-03-04', conversion_date_preference: 'earliest' },
      'invalid_conversion_date_combination',
    ],
  ])('is rejected for %s', async (_what, changes, code) => {
    const answer = await quoteOf(changes)
    expect([answer.status, ...codesOf(answer)]).toEqual([400, code])
  })

  test('is booked once, at its own rate, for exactly the same amounts', async () => {
    const { body: quote } = await quoteOf()
    const quote_id = String(quote['quote_id'])
    expect(codesOf(await book({ quote_id, amount: '1000.01' }))).toEqual(['quote_mismatch'])
    expect(codesOf(await book({ quote_id, fixed_side: 'sell' }))).toEqual(['quote_mismatch'])
    const { body } = await book({ quote_id })
    expect(Number(body['client_sell_amount'])).toBe(Number(quote['client_sell_amount']))
    expect(codesOf(await book({ quote_id }))).toEqual(['quote_already_used'])
  })

  test('is valid until the instant at which it expires, and not then', async () => {
    const [early, late] = [await quoteOf(), await quoteOf()]
    const { now } = Object(await fx.control('/clock'))
    await fx.moveTo(Temporal.Instant.from(now).add({ seconds: 100 }).toString())
    expect((await book({ quote_id: String(early.body['quote_id']) })).status).toBe(200)
    await fx.moveTo(Temporal.Instant.from(now).add({ seconds: 121 }).toString())
    expect(codesOf(await book({ quote_id: String(late.body['quote_id']) }))).toEqual(['quote_expired'])
    expect(codesOf(await book({ quote_id: randomUUID() }))).toEqual(['quote_not_found'])
  })

  test('can be made to expire early', async () => {
    await fx.control('/faults', { effect: 'quote-expires-early', times: 1 })
    const { body } = await quoteOf()
    expect(Temporal.Instant.from(String(body['created_at'])).until(String(body['expires_at'])).seconds).toBe(120)
    expect(codesOf(await book({ quote_id: String(body['quote_id']) }))).toEqual(['quote_expired'])
  })
})

describe('a conversion', () => {
  test('is created once per request id, however often and concurrently it is requested', async () => {
    const unique_request_id = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => book({ unique_request_id })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect(answers.filter(({ status }) => status === 400).flatMap(codesOf)).toEqual(Array(4).fill('duplicate_request'))
    const found = await fx.get('/conversions/find', { unique_request_id })
    expect(found.body).toMatchObject({ conversions: [{ unique_request_id }], pagination: { total_entries: 1 } })
  })

  test.each([
    ['earliest', '2027-03-02'],
    ['next_day', '2027-03-03'],
    ['default', '2027-03-04'],
  ])('settles on the day that %s means', async (conversion_date_preference, day) => {
    const { body } = await book({ conversion_date_preference })
    expect(body['conversion_date']).toBe(`${day}T00:00:00+00:00`)
  })

  test('settles a day later when the morning is over', async () => {
    await fx.moveTo('2027-03-02T17:00:00Z')
    const { body } = await book({ conversion_date_preference: 'earliest' })
    expect(body['conversion_date']).toBe('2027-03-03T00:00:00+00:00')
  })

  test('is rejected without terms, above the limit, and when that is simulated', async () => {
    expect(codesOf(await book({ term_agreement: 'false' }))).toEqual(['term_agreement_is_required'])
    expect(codesOf(await book({ amount: '100000000' }))).toEqual(['conversion_above_limit'])
    await fx.control('/faults', { effect: 'refuse-booking', times: 1 })
    expect(codesOf(await book())).toEqual(['conversion_above_limit'])
    expect((await book()).status).toBe(200)
  })

  test('is cancelled once, at a small loss that is reported then and afterwards', async () => {
    const id = String((await book({ amount: '95000.00' })).body['id'])
    const cancelled = await fx.post(`/conversions/${id}/cancel`, { notes: 'Not signed' })
    expect(cancelled.body).toMatchObject({ amount: '-136.97', currency: 'NOK', notes: 'Not signed', conversion_id: id })
    const events = await fx.get('/conversions/profit_and_loss', { conversion_id: id })
    expect(events.body['conversion_profit_and_losses']).toEqual([cancelled.body])
    expect((await fx.get(`/conversions/${id}`)).body).toMatchObject({ status: 'closed', unallocated_funds: '0.00' })
    expect(codesOf(await fx.post(`/conversions/${id}/cancel`))).toEqual(['conversion_cannot_be_cancelled'])
    const balance = await fx.get('/transactions/find', { related_entity_id: id })
    expect(balance.body['transactions']).toMatchObject([{ type: 'debit', amount: '136.97', action: 'conversion' }])
  })

  test('rejects its cancellation as often as simulated, and when it has settled', async () => {
    const id = String((await book({ conversion_date_preference: 'earliest' })).body['id'])
    await fx.control('/faults', { effect: 'refuse-cancelling', times: 2 })
    expect(codesOf(await fx.post(`/conversions/${id}/cancel`))).toEqual(['conversion_cancellation_failed'])
    expect(codesOf(await fx.post(`/conversions/${id}/cancel`))).toEqual(['conversion_cancellation_failed'])
    expect((await fx.get('/conversions/profit_and_loss', { conversion_id: id })).body).toMatchObject({
      conversion_profit_and_losses: [],
    })
    await fx.control(`/arrivals`, { iban: 'NO3380590100009', amount: '20000.00', reference: 'HVN1234567890' })
    const other = String((await book({ reason: 'HVN0000000SETTLED' })).body['id'])
    await fx.control(`/arrivals`, { iban: 'NO3380590100009', amount: '20000.00', reference: 'HVN0000000SETTLED' })
    await fx.control(`/conversions/${other}/settle`, {})
    expect(codesOf(await fx.post(`/conversions/${other}/cancel`))).toEqual(['conversion_cannot_be_cancelled'])
    expect((await fx.post(`/conversions/${id}/cancel`)).status).toBe(200)
  })

  test('is settled by the control API when it has its funds only', async () => {
    await expect(fx.control(`/conversions/${randomUUID()}/settle`, {})).rejects.toThrow('404')
    const id = String((await book()).body['id'])
    await expect(fx.control(`/conversions/${id}/settle`, {})).rejects.toThrow('409')
  })

  test('that does not exist is not found', async () => {
    const answer = await fx.get(`/conversions/${randomUUID()}`)
    expect([answer.status, ...codesOf(answer)]).toEqual([404, 'conversion_not_found'])
    for (const [path, filter] of [
      ['/conversions/find', 'conversion_ids[0]'],
      ['/transactions/find', 'related_entity_id'],
    ] as const) {
      expect((await fx.get(path, { [filter]: 'no id' })).body).toMatchObject({ pagination: { total_entries: 0 } })
    }
  })
})

describe('the market', () => {
  test('can be closed, and rates made unavailable', async () => {
    await fx.control('/faults', { effect: 'closed', times: 2 })
    expect(codesOf(await quoteOf())).toEqual(['currency_pair_not_available_for_weekend'])
    expect(codesOf(await fx.get('/rates/detailed', pair))).toEqual(['currency_pair_not_available_for_weekend'])
    await fx.control('/faults', { effect: 'no-rate', times: 2 })
    expect(codesOf(await quoteOf())).toEqual(['quote_could_not_be_created'])
    expect(codesOf(await fx.get('/rates/detailed', pair))).toEqual(['rate_could_not_be_retrieved'])
  })
})
