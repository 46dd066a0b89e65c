/** Stores FX deals and inbound funds without a provider, for tests of pages. */

import { postLedgerEntry } from '../../fx/ledger/ledger.ts'
import { arrivedLines } from '../../fx/ledger/ledger-lines.ts'
import { newId } from '../../platform/ids.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** A deal of 90.00 NOK for 8.00 EUR; returns its id. Only one that is being booked has no postings in the ledger. */
export async function storeDeal(
  { context }: Pick<TestGateway, 'context'>,
  partnerId: string,
  state = 'booking',
): Promise<string> {
  const id = newId()
  await context.database.pool.query(
    `insert into fx_deals (partner_id, id, provider, quote_id, reference_code, funding_country, funding_date,
       provider_quote_id, fixed_side, cost_currency, cost_minor, sell_minor, buy_currency, buy_minor, deadline, terms_sealed,
       state, version, created_at, changed_at)
     values ($1, $2::uuid, 'test', $2::uuid, $2::uuid::text, 'NO', '2026-11-24', 'quote', 'buy', 'NOK', 9000, 8900, 'EUR',
       800, $4, '', $3, 1, $4, $4)`,
    [partnerId, id, state, context.clock.now().toString()],
  )
  return id
}

/** Funds of 12.50 NOK that name no quote and are held; returns their id. */
export async function storeHeldFunds({ context }: Pick<TestGateway, 'context'>, partnerId: string): Promise<string> {
  const id = newId()
  const at = context.clock.now()
  await context.database.pool.query(
    `insert into fx_inbound_funds (partner_id, id, provider, provider_funds_id, currency, minor, reference, received_at,
       state, reason, created_at, changed_at)
     values ($1, $2::uuid, 'test', $2::uuid::text, 'NOK', 1250, 'From a friend', $3, 'held', 'unknown', $3, $3)`,
    [partnerId, id, at.toString()],
  )
  const lines = arrivedLines({ id, amount: { minor: 1250n, currency: 'NOK' } })
  await postLedgerEntry(context.database, { partnerId, event: 'arrived', at, lines })
  return id
}
