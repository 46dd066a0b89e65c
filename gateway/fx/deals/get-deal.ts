/** Reads open deals and inbound funds, and the details of one deal, for operators. */

import type { Context } from '../../context.ts'
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import { listLedgerLines, type PostedLine } from '../ledger/ledger.ts'
import type { Deal, DealEvent, DealKey } from '../store/deal.ts'
import { countOpenDeals, findDealOfAnyPartner, findDealOfPayment, listOpenDeals } from '../store/deal-store.ts'
import { listDealEvents } from '../store/deal-transition-store.ts'
import type { InboundFunds } from '../store/inbound-funds.ts'
import {
  countOpenInboundFunds,
  findInboundFundsOfAnyPartner,
  listInboundFundsOfDeal,
  listOpenInboundFunds,
} from '../store/inbound-funds-store.ts'

/** A page of the console shows no more; the oldest come first. */
const LIST_MAX = 500

/** The deal or receipt of this id does not exist. */
export class DealNotFound extends Error {}

/** Open deals and inbound funds of all partners, oldest change first. */
export async function listOpenDealsAndFunds(
  database: Queryable,
): Promise<{ readonly deals: readonly Deal[]; readonly receipts: readonly InboundFunds[] }> {
  return {
    deals: await listOpenDeals(database, LIST_MAX),
    receipts: await listOpenInboundFunds(database, LIST_MAX),
  }
}

export type DealDetails = {
  readonly deal: Deal
  readonly events: readonly DealEvent[]
  readonly receipts: readonly InboundFunds[]
  readonly lines: readonly PostedLine[]
}

/** Reads one consistent snapshot. Throws `DealNotFound`. */
export async function getDealDetails(context: ProgramContext, id: string): Promise<DealDetails> {
  return await inTransaction(context, async ({ database }) => {
    const deal = await requireDeal(database, id)
    return {
      deal,
      events: await listDealEvents(database, deal),
      receipts: await listInboundFundsOfDeal(database, deal),
      lines: await listLedgerLines(database, { partnerId: deal.partnerId, subjectId: deal.id }),
    }
  })
}

/** Returns the deal. Throws `DealNotFound`. */
export async function requireDeal(database: Queryable, id: string): Promise<Deal> {
  const deal = await findDealOfAnyPartner(database, id)
  if (deal === undefined) {
    throw new DealNotFound(`Deal ${id} does not exist`)
  }
  return deal
}

/** Returns the inbound funds. Throws `DealNotFound`. */
export async function requireInboundFunds(database: Queryable, id: string): Promise<InboundFunds> {
  const receipt = await findInboundFundsOfAnyPartner(database, id)
  if (receipt === undefined) {
    throw new DealNotFound(`Inbound funds ${id} do not exist`)
  }
  return receipt
}

/** The latest deal of a payment. */
export async function findDeal(
  database: Queryable,
  payment: { readonly partnerId: string; readonly paymentId: string },
): Promise<Deal | undefined> {
  return await findDealOfPayment(database, payment)
}

/**
 * Oldest first. `event` is the state that the deal changed to, or for its funds `money-held`, `money-sent-back` or
 * `money-back-at-sender`. `detail` has amounts as `{amount, currency}`; `reason` and `why` are codes or text.
 */
export async function getDealTimeline(database: Queryable, deal: DealKey): Promise<readonly DealEvent[]> {
  return await listDealEvents(database, deal)
}

/** Called before each scrape; the counts use partial indexes of open rows. */
export async function updateDealMetrics({ database, metrics, clock }: Context): Promise<void> {
  const [states, receipts] = await Promise.all([countOpenDeals(database), countOpenInboundFunds(database)])
  metrics.openDeals.reset()
  for (const { state, count } of states) {
    metrics.openDeals.set({ state }, Number(count))
  }
  const cancelling = states.find(({ state }) => state === 'cancelling')
  metrics.unwindingDeals.set(
    cancelling === undefined ? 0 : Math.max(0, clock.now().since(cancelling.oldest).total('seconds')),
  )
  metrics.unallocatedReceipts.set(receipts)
}
