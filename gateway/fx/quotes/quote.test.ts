/** Tests the amounts, rate, expiry, storage and ownership of a quote. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dollarOrder } from '../../../contract/examples/fx.ts'
import type { ExchangeOrder } from '../../../contract/fx/exchange-order.ts'
import type { ExchangeQuote } from '../../../contract/fx/fx-operations.ts'
import { sendRawRequest } from '../../testing/contract/send-raw-request.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../../testing/fx/fx-provider-fixture.ts'
import { exchangeOrder, moveToHour } from '../../testing/fx/sample-exchange-orders.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { bookDeal } from '../deals/book-deal.ts'
import { findQuoteById } from '../store/quote-store.ts'

let stage: GatewayWithFx
beforeAll(async () => {
  stage = await startGatewayWithFx()
  await moveToHour(stage.gateway, '09:00')
})
afterAll(() => stage.close())

const quote = (changes: Partial<ExchangeOrder> = {}): Promise<ExchangeQuote> =>
  stage.gateway.client.quoteExchange({ body: exchangeOrder(stage.gateway, changes) })
const secondsOf = ({ quoteExpiryTime }: ExchangeQuote) =>
  Temporal.Instant.from(quoteExpiryTime).since(stage.gateway.context.clock.now()).total('seconds')
const { to } = dollarOrder

describe('a quote', () => {
  test('with the creditor’s amount has exactly that, and what it costs', async () => {
    const given = await quote()
    expect(given.requestedAmount).toEqual({ amount: '1000.00', currency: 'USD' })
    expect(given.costAmount.currency).toBe('NOK')
    expect(Number(given.exchangeRate)).toBeCloseTo(Number(given.costAmount.amount) / 1000, 6)
  })

  test('with the debtor’s amount has exactly that, and what the creditor gets', async () => {
    const given = await quote({ to: { ...to, currency: 'USD' }, amount: { amount: '10000.00', currency: 'NOK' } })
    expect(given.costAmount).toEqual({ amount: '10000.00', currency: 'NOK' })
    expect(given.requestedAmount.currency).toBe('USD')
    expect(Number(given.exchangeRate)).toBeCloseTo(10_000 / Number(given.requestedAmount.amount), 4)
  })

  test('in a currency without decimals', async () => {
    const given = await quote({
      to: {
        account: { bban: '1234567', bic: 'MHCBJPJT', clearingCode: '0001001' },
        contactInformation: {
          name: 'Umi Parts KK',
          address: {
            streetName: 'Marunouchi',
            buildingNumber: '1',
            city: 'Tokyo',
            postCode: '100-0005',
            country: 'JP',
          },
        },
      },
      amount: { amount: '250000', currency: 'JPY' },
      remittanceInformation: {
        unstructured: 'Invoice 7',
        additionalInformation: [{ type: 'Reason', value: 'Payment for spare parts' }],
      },
    })
    expect(given.requestedAmount).toEqual({ amount: '250000', currency: 'JPY' })
    expect(given.exchangeRate.replace('.', '').replace(/^0+/, '').length).toBeGreaterThanOrEqual(8)
  })

  test('has the account to which the cost is paid, domestic to the debtor, and who bears which charges', async () => {
    const given = await quote()
    expect(given.intermediaryAccount.account).toMatchObject({ iban: expect.stringMatching(/^NO\d{13}$/) })
    expect(given.intermediaryAccount.account.bban).toBe(given.intermediaryAccount.account.iban.slice(4))
    expect(given.chargeBearer).toBe('SHA')
    expect(given.referenceCode).toMatch(/^HVN[0-9A-HJKMNP-TV-Z]{9}$/)
    expect(Number(given.markup)).toBeGreaterThan(0)
  })

  test('expires after two minutes when due today, and after five when due later', async () => {
    const today = await quote()
    expect(secondsOf(today)).toBeGreaterThan(60)
    expect(secondsOf(today)).toBeLessThanOrEqual(120)
    const { defaultDueDate } = await stage.gateway.client.getExchangeCalendar({})
    const later = await quote({ dueDate: defaultDueDate })
    expect(secondsOf(later)).toBeGreaterThan(240)
    expect(secondsOf(later)).toBeLessThanOrEqual(300)
  })

  test('is a new one for each request, and the same one under one Idempotency-Key', async () => {
    const body = exchangeOrder(stage.gateway)
    const { client } = stage.gateway
    const [one, other] = [await client.quoteExchange({ body }), await client.quoteExchange({ body })]
    expect(one.quoteId).not.toBe(other.quoteId)
    expect(one.referenceCode).not.toBe(other.referenceCode)
    const keyed = { body, idempotencyKey: 'quote-once' }
    expect(await client.quoteExchange(keyed)).toEqual(await client.quoteExchange(keyed))
  })

  test('is stored with everything that booking needs, encrypted except amounts and codes', async () => {
    const { quoteId } = await quote()
    const { context } = stage.gateway
    const { rows } = await context.database.pool.query('select * from fx_quotes where id = $1', [quoteId])
    expect(Object.values(Object(rows[0])).map(String).join(' ')).not.toContain('Hudson')
    const stored = await findQuoteById(context, { partnerId: String(rows[0]?.partner_id), id: quoteId })
    expect(stored).toMatchObject({
      fundingCountry: 'NO',
      held: { fixedSide: 'buy', buy: { minor: 100_000n, currency: 'USD' } },
      terms: {
        reference: 'Invoice 30018',
        method: 'priority',
        beneficiary: { bankCountry: 'US', account: { bban: '000123456789' }, clearingCode: '021000021' },
        payer: { name: 'Nordlys Handel AS', organisationNumber: '987654325' },
      },
    })
  })

  test('and a validation request the intermediary account from the provider once', async () => {
    const { client } = stage.gateway
    // What earlier tests requested is cached for five minutes.
    stage.gateway.passWallTime(301)
    const requests = async () => (await stage.fx.calls())['GET /funding_accounts/find'] ?? 0
    const before = await requests()
    await client.validateExchange({ body: exchangeOrder(stage.gateway) })
    await quote()
    await quote()
    expect(await requests()).toBe(before + 1)
  })

  test('does not exist for another partner', async () => {
    const { quoteId } = await quote()
    const { context } = stage.gateway
    const nobody = { partnerId: '01a207a2-0000-7000-8000-000000000000', id: quoteId }
    expect(await findQuoteById(context, nobody)).toBeUndefined()
  })
})

describe('without what a quote needs', () => {
  test('a provider that does not respond: 503, and nothing is stored', async () => {
    const before = await countQuotes()
    await stage.fx.stop()
    const headers = { authorization: `Bearer ${await stage.gateway.token()}` }
    const body = exchangeOrder(stage.gateway)
    expect(await sendRawRequest(stage.gateway, ['POST', '/api/fx/payments'], { headers, body })).toMatchObject({
      status: 503,
    })
    await stage.fx.restart()
    expect(await countQuotes()).toBe(before)
  })
})

async function countQuotes(): Promise<number> {
  const { rows } = await stage.gateway.context.database.pool.query('select count(*)::int as count from fx_quotes')
  return Number(rows[0]?.count)
}

describe('retention', () => {
  test('deletes an unbooked quote thirty days after it expired, and keeps one that became a deal', async () => {
    const { context } = stage.gateway
    const { pool } = context.database
    await moveToHour(stage.gateway, '09:00')
    const [booked, unbooked] = [await quote(), await quote()]
    const { rows } = await pool.query<{ partner_id: string }>('select partner_id from fx_quotes where id = $1', [
      booked.quoteId,
    ])
    const stored = await findQuoteById(context, { partnerId: rows[0]?.partner_id ?? '', id: booked.quoteId })
    if (stored === undefined) {
      throw new Error('The quote was not kept')
    }
    await bookDeal(context, { quote: stored, paymentId: null, terms: stored.terms })
    const deleted = await pool.query<{ id: string }>(
      'select id, purge_at = expires_at + interval \'720 hours\' as "inTime" from fx_quotes where id = any ($1) order by id',
      [[booked.quoteId, unbooked.quoteId]],
    )
    // The sweep scans what is to be deleted, so that booked quotes, which stay for ever, do not slow it down.
    expect(deleted.rows).toEqual([
      { id: booked.quoteId, inTime: null },
      { id: unbooked.quoteId, inTime: true },
    ])
    const left = async () =>
      (await pool.query<{ id: string }>('select id from fx_quotes')).rows
        .map(({ id }) => id)
        .filter((id) => [booked.quoteId, unbooked.quoteId].includes(id))
    await passTime(stage.gateway, 'PT719H')
    expect(await left()).toHaveLength(2)
    await passTime(stage.gateway, 'PT2H')
    expect(await left()).toEqual([booked.quoteId])
  })
})
