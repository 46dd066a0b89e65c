/** Allocates inbound funds: they fund their deal, book the quote that they name, or are held and returned. */

import type { Context } from '../../context.ts'
import { wasRestoredSince } from '../../operators/audit-log.ts'
import { raiseTask } from '../../operators/raise-task.ts'
import { laterOf } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { formatMoney } from '../../platform/money.ts'
import { bookDeal, QuoteAlreadyBooked } from '../deals/book-deal.ts'
import { transitionDeal } from '../deals/change-deal.ts'
import { addOneBankDay } from '../deals/funding-poll-schedule.ts'
import { settleDealTask } from '../deals/raise-deal-task.ts'
import { fundedLines } from '../ledger/ledger-lines.ts'
import type { Deal } from '../store/deal.ts'
import { findDealById, findDealByQuote } from '../store/deal-store.ts'
import { insertDealEvent } from '../store/deal-transition-store.ts'
import { allocateFunds, type HoldReason, type InboundFunds } from '../store/inbound-funds.ts'
import {
  findInboundFunds,
  type InboundFundsKey,
  listInboundFundsOfDeal,
  writeInboundFunds,
} from '../store/inbound-funds-store.ts'
import type { Quote } from '../store/quote.ts'
import { findQuoteById } from '../store/quote-store.ts'

/** Allocates a receipt that is new, or that waited for the booking of its deal. Idempotent. */
export async function allocateInboundFunds(context: Context, key: InboundFundsKey): Promise<void> {
  const receipt = await findInboundFunds(context.database, key)
  if (receipt === undefined || !isOpen(receipt)) {
    return
  }
  const found = await findOrBookDealOf(context, receipt)
  await inTransaction(context, async (context) => {
    // Lock order: the deal, then its receipts, so that two processes cannot deadlock.
    const deal = found.deal && (await findDealById(context.database, found.deal, { lock: true }))
    const locked = await findInboundFunds(context.database, key, { lock: true })
    if (locked !== undefined && isOpen(locked)) {
      await allocateLockedFunds(context, { ...found, receipt: locked, deal })
    }
  })
}

function isOpen({ state, reason }: InboundFunds): boolean {
  return state === 'arrived' || (state === 'held' && reason === 'early')
}

/** A receipt with its deal. `country`: whose bank days count for holding it; null when it, or the quote, is unknown. */
type MatchedFunds = { readonly receipt: InboundFunds; readonly deal: Deal | undefined; readonly country: string | null }

/** The deal of its quote; funds from outside Havn that arrive in time and in full book one. */
async function findOrBookDealOf(context: Context, receipt: InboundFunds): Promise<Omit<MatchedFunds, 'receipt'>> {
  const { partnerId, quoteId, amount, receivedAt } = receipt
  if (quoteId === null) {
    return { deal: undefined, country: null }
  }
  const deal = await findDealByQuote(context.database, { partnerId, quoteId })
  const quote = deal === undefined ? await findQuoteById(context, { partnerId, id: quoteId }) : undefined
  if (quote === undefined) {
    return { deal, country: deal?.fundingCountry ?? null }
  }
  if (await wasRestoredSince(context.database, quote.id)) {
    // Its deal may be lost, and the receiver paid.
    return { deal: undefined, country: null }
  }
  const isAgreed = amount.minor === quote.cost.minor && amount.currency === quote.cost.currency
  const isInTime = Temporal.Instant.compare(receivedAt, quote.expiresAt) <= 0
  return { deal: isAgreed && isInTime ? await bookFor(context, quote) : undefined, country: quote.fundingCountry }
}

/** A payment may book the quote concurrently. */
async function bookFor(context: Context, quote: Quote): Promise<Deal | undefined> {
  try {
    return (await bookDeal(context, { quote, terms: quote.terms, paymentId: null })).deal
  } catch (error) {
    if (error instanceof QuoteAlreadyBooked) {
      return await findDealByQuote(context.database, { partnerId: quote.partnerId, quoteId: quote.id })
    }
    throw error
  }
}

async function allocateLockedFunds(context: Context, matched: MatchedFunds): Promise<void> {
  const { receipt, deal, country } = matched
  if (deal === undefined) {
    await hold(context, matched, country === null ? 'unknown' : 'late')
    return
  }
  const others = await listInboundFundsOfDeal(context.database, deal)
  const held = others.filter(({ id, state, reason }) => id !== receipt.id && state === 'held' && reason === 'short')
  const allocation = allocateFunds(deal, receipt, held)
  if ('use' in allocation) {
    await fund(context, deal, allocation.use)
  } else {
    await hold(context, matched, allocation.hold)
  }
}

/** All these receipts together fund the deal; its payout is due at once. */
async function fund(context: Context, deal: Deal, used: readonly InboundFunds[]): Promise<void> {
  const at = context.clock.now()
  for (const receipt of used) {
    await writeInboundFunds(context.database, receipt, { state: 'used', at, reason: null, dealId: deal.id })
  }
  const moved = await transitionDeal(context, deal, {
    state: 'funded',
    dueAt: at,
    posting: { event: 'funded', lines: fundedLines(deal, used) },
    detail: { amount: formatMoney(deal.cost), arrivedAt: used.at(-1)?.receivedAt.toString() },
    ...(deal.signedAt === null ? { signedAt: at } : {}),
  })
  if (moved === undefined) {
    throw new Error(`Deal ${deal.id} changed its state although it was locked`)
  }
  await settleDealTask(context, deal, 'FundingMissing', 'the funds arrived')
}

/** Holds the receipt for one bank day, or without limit while it waits for its deal or for an operator. */
async function hold(context: Context, { receipt, deal, country }: MatchedFunds, reason: HoldReason): Promise<void> {
  const at = context.clock.now()
  const { receivedAt, amount } = receipt
  const dueAt = reason === 'early' || reason === 'unknown' ? null : addOneBankDay(laterOf(receivedAt, at), country)
  await writeInboundFunds(context.database, receipt, { state: 'held', at, reason, dueAt, dealId: deal?.id ?? null })
  if (deal !== undefined) {
    const detail = { amount: formatMoney(amount), why: reason, ...(dueAt && { until: dueAt.toString() }) }
    await insertDealEvent(context.database, deal, { at, event: 'money-held', detail })
  }
  if (reason === 'unknown') {
    const taskDetail = { provider: receipt.provider, providerReceiptId: receipt.providerReceiptId }
    const subject = { partnerId: receipt.partnerId, subjectType: 'receipt', subjectId: receipt.id } as const
    await raiseTask(context, { ...subject, kind: 'UnknownReceipt', detail: taskDetail })
  }
}
