/** Tests the effect of settings on quotes: margin, hold period, and no configured provider. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dollarOrder } from '../../../contract/examples/fx.ts'
import { composeServer } from '../../../launcher/roles/compose-server.ts'
import { type GatewayWithFx, startGatewayWithFx } from '../../testing/fx/fx-provider-fixture.ts'
import { exchangeOrder, moveToHour } from '../../testing/fx/sample-exchange-orders.ts'
import { findQuoteById } from '../store/quote-store.ts'

let stage: GatewayWithFx
beforeAll(async () => {
  const settings = { HAVN_FX_MARGIN_PERCENT: '1.5', HAVN_FX_HOLD_SECONDS: '30', HAVN_FX_SERVICE_HOURS: '00:00-23:59' }
  stage = await startGatewayWithFx({ settings })
  await moveToHour(stage.gateway, '09:00')
})
afterAll(() => stage.close())

const { to } = dollarOrder
const SELL = { to: { ...to, currency: 'USD' }, amount: { amount: '10000.00', currency: 'NOK' } }

async function stored(changes: Parameters<typeof exchangeOrder>[1]) {
  const { client, context } = stage.gateway
  const given = await client.quoteExchange({ body: exchangeOrder(stage.gateway, changes) })
  const { rows } = await context.database.pool.query<{ partner_id: string }>(
    'select partner_id from fx_quotes where id = $1',
    [given.quoteId],
  )
  const quote = await findQuoteById(context, { partnerId: rows[0]?.partner_id ?? '', id: given.quoteId })
  if (quote === undefined) {
    throw new Error('The quote was not kept')
  }
  return { given, quote }
}

describe('a margin', () => {
  test('is added to the provider’s selling price, where the creditor’s amount is fixed', async () => {
    const { given, quote } = await stored({})
    expect(given.requestedAmount.amount).toBe('1000.00')
    expect(quote.cost.minor).toBe((quote.held.sell.minor * 1015n + 500n) / 1000n)
    expect(given.costAmount.amount).toBe(
      `${quote.cost.minor / 100n}.${String(quote.cost.minor % 100n).padStart(2, '0')}`,
    )
  })

  test('is deducted from what the debtor pays, where that is fixed', async () => {
    const { given, quote } = await stored(SELL)
    expect(given.costAmount.amount).toBe('10000.00')
    expect(quote.held.sell.minor).toBe((1_000_000n * 1000n + 507n) / 1015n)
    expect(quote.held.fixedSide).toBe('sell')
  })

  test('is part of the markup', async () => {
    const { given } = await stored({})
    expect(Number(given.markup)).toBeGreaterThan(1.5)
  })
})

describe('a quote', () => {
  test('expires no later than the provider’s held rate', async () => {
    const { given } = await stored({})
    const left = Temporal.Instant.from(given.quoteExpiryTime).since(stage.gateway.context.clock.now()).total('seconds')
    expect(left).toBeGreaterThan(20)
    expect(left).toBeLessThanOrEqual(30)
  })
})

test('without a provider does not exist: 503, and validation returns the same', async () => {
  const server = await composeServer({ ...stage.gateway.context, fx: null })
  const headers = { authorization: `Bearer ${await stage.gateway.token()}` }
  for (const url of ['/api/fx/payments', '/api/fx/payments/validate']) {
    const answer = await server.inject({ method: 'POST', url, headers, payload: exchangeOrder(stage.gateway) })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ message: expect.stringContaining('FX provider') })
  }
  expect((await server.inject({ method: 'GET', url: '/api/currencies', headers })).statusCode).toBe(200)
  await server.close()
})
