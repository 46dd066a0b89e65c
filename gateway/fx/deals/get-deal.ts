/** Reads open deals and inbound funds, and the details of one deal, for operators. */
import { inTransaction, type Queryable } from '../../platform/database/in-transaction.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { InboundFunds } from '../funding/inbound-funds.ts'
import {
  findInboundFundsOfAnyPartner,
  listInboundFundsOfDeal,
  listOpenInboundFunds,
} from '../funding/inbound-funds-store.ts'
import type { LedgerLine } from '../ledger/ledger-lines.ts'
import { listLedgerLines } from '../ledger/ledger-store.ts'
import type { Deal } from './deal.ts'
import { type DealEvent, listDealEvents } from './deal-history-store.ts'
import { findDealOfAnyPartner, listOpenDeals } from './deal-store.ts'

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

/** A deal with its events, inbound funds and ledger lines. */
export type DealDetails = {
  readonly deal: Deal
  readonly events: readonly DealEvent[]
  readonly receipts: readonly InboundFunds[]
  readonly lines: readonly (LedgerLine & { readonly event: string; readonly at: Temporal.Instant })[]
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
