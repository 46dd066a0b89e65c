/** Shows operators the deals and the money that wait for something, and one of them in full. */
import { atomically, type Queryable } from '../platform/database/in-transaction.ts'
import type { Deal } from './deals/deal.ts'
import { type DealEvent, listDealEvents } from './deals/deal-history-store.ts'
import { findDealOfAnybody, listOpenDeals } from './deals/deal-store.ts'
import type { Receipt } from './funding/inbound-funds.ts'
import { findReceiptOfAnybody, listOpenReceipts, listReceiptsOf } from './funding/inbound-funds-store.ts'
import type { Line } from './ledger/ledger-lines.ts'
import { listLines } from './ledger/ledger-store.ts'

/** More would not fit a screen, and the oldest come first. */
const SHOWN_MAX = 500

/** A deal or a receipt that an operator asked for, and there is none. */
export class NoSuchDeal extends Error {}

/** What is not at its end, of all partners, oldest change first. */
export async function openDeals(
  database: Queryable,
): Promise<{ readonly deals: readonly Deal[]; readonly receipts: readonly Receipt[] }> {
  return {
    deals: await listOpenDeals(database, SHOWN_MAX),
    receipts: await listOpenReceipts(database, SHOWN_MAX),
  }
}

/** A deal with all that became of it. */
export type DealShown = {
  readonly deal: Deal
  readonly events: readonly DealEvent[]
  readonly receipts: readonly Receipt[]
  readonly lines: readonly (Line & { readonly event: string; readonly at: Temporal.Instant })[]
}

/** As things stand at one moment. Throws `NoSuchDeal`. */
export async function showDeal(database: Queryable, id: string): Promise<DealShown> {
  return await atomically(database, async (within) => {
    const deal = await requireDeal(within, id)
    return {
      deal,
      events: await listDealEvents(within, deal),
      receipts: await listReceiptsOf(within, deal),
      lines: await listLines(within, { partnerId: deal.partnerId, subjectId: deal.id }),
    }
  })
}

/** The deal, or a refusal that says there is none. */
export async function requireDeal(database: Queryable, id: string): Promise<Deal> {
  const deal = await findDealOfAnybody(database, id)
  if (deal === undefined) {
    throw new NoSuchDeal(`There is no deal ${id}`)
  }
  return deal
}

/** The receipt, or a refusal that says there is none. */
export async function requireReceipt(database: Queryable, id: string): Promise<Receipt> {
  const receipt = await findReceiptOfAnybody(database, id)
  if (receipt === undefined) {
    throw new NoSuchDeal(`No money arrived with the id ${id}`)
  }
  return receipt
}
