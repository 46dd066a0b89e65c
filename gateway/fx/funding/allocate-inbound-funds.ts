/** Decides what money that arrived is for: it funds its deal, books the quote that it names, or is held and sent back. */

import { raiseTask } from '../../operators/raise-task.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import { printMoney } from '../../platform/money.ts'
import { bookDeal, QuoteTaken } from '../book-deal.ts'
import type { Deal } from '../deals/deal.ts'
import { insertDealEvent } from '../deals/deal-history-store.ts'
import { findDealById, findDealOfQuote } from '../deals/deal-store.ts'
import { settleDealTask } from '../deals/raise-deal-task.ts'
import { moveDeal } from '../deals/transition-deal.ts'
import type { FxContext } from '../fx-context.ts'
import { fundedLines } from '../ledger/ledger-lines.ts'
import type { Quote } from '../quotes/quote.ts'
import { findQuote } from '../quotes/quote-store.ts'
import { oneBankDayAfter } from './funding-poll-schedule.ts'
import { type HoldReason, judge, NOBODY, type Receipt } from './inbound-funds.ts'
import { findReceipt, listReceiptsOf, type ReceiptKey, writeReceipt } from './inbound-funds-store.ts'

/** Judges a receipt that nobody has judged yet, or anew when its deal is known. Whatever it decides, it decides once. */
export async function settleReceipt(context: FxContext, key: ReceiptKey): Promise<void> {
  const receipt = await findReceipt(context.database, key)
  if (receipt === undefined || !isOpen(receipt)) {
    return
  }
  const { deal, country } = await dealFor(context, receipt)
  await atomically(context.database, async (database) => {
    // The deal first, then its receipts: whoever locks both does so in this order.
    const standing = deal && (await findDealById(database, deal, { lock: true }))
    const locked = await findReceipt(database, key, { lock: true })
    if (locked !== undefined && isOpen(locked)) {
      await settleLocked({ ...context, database }, { receipt: locked, deal: standing, country })
    }
  })
}

function isOpen({ state, reason }: Receipt): boolean {
  return state === 'arrived' || (state === 'held' && reason === 'early')
}

/** A receipt, the deal that it is for, and the country by whose bank days it is held; null when nothing says where it is from. */
type Matched = { readonly receipt: Receipt; readonly deal: Deal | undefined; readonly country: string | null }

/** The deal of its quote; money from outside that came in time, to the full amount, makes one. */
async function dealFor(context: FxContext, receipt: Receipt): Promise<Omit<Matched, 'receipt'>> {
  const { partnerId, quoteId, amount, receivedAt } = receipt
  if (quoteId === null) {
    return { deal: undefined, country: null }
  }
  const deal = await findDealOfQuote(context.database, { partnerId, quoteId })
  const quote = deal === undefined ? await findQuote(context, { partnerId, id: quoteId }) : undefined
  if (quote === undefined) {
    return { deal, country: deal?.fundingCountry ?? null }
  }
  const isAgreed = amount.minor === quote.cost.minor && amount.currency === quote.cost.currency
  const isInTime = Temporal.Instant.compare(receivedAt, quote.expiresAt) <= 0
  return { deal: isAgreed && isInTime ? await bookFor(context, quote) : undefined, country: quote.fundingCountry }
}

/** A payment may have booked it at the same moment. */
async function bookFor(context: FxContext, quote: Quote): Promise<Deal | undefined> {
  try {
    return (await bookDeal(context, { quote, terms: quote.terms, paymentId: null })).deal
  } catch (error) {
    if (error instanceof QuoteTaken) {
      return await findDealOfQuote(context.database, { partnerId: quote.partnerId, quoteId: quote.id })
    }
    throw error
  }
}

type Within = Omit<FxContext, 'database'> & { readonly database: Queryable }

async function settleLocked(context: Within, matched: Matched): Promise<void> {
  const { receipt, deal } = matched
  if (deal === undefined) {
    await hold(context, matched, receipt.quoteId === null ? 'unknown' : 'late')
    return
  }
  const others = await listReceiptsOf(context.database, deal)
  const held = others.filter(({ id, state, reason }) => id !== receipt.id && state === 'held' && reason === 'short')
  const verdict = judge(deal, receipt, held)
  if ('use' in verdict) {
    await fund(context, deal, verdict.use)
  } else {
    await hold(context, matched, verdict.hold)
  }
}

/** The deal is funded by all of these together; what it takes from then on is due at once. */
async function fund(context: Within, deal: Deal, used: readonly Receipt[]): Promise<void> {
  const at = context.clock.now()
  for (const receipt of used) {
    await writeReceipt(context.database, receipt, { state: 'used', at, reason: null, dealId: deal.id })
  }
  const moved = await moveDeal(context, deal, {
    state: 'funded',
    dueAt: at,
    posting: { event: 'funded', lines: fundedLines(deal, used) },
    detail: { amount: printMoney(deal.cost), arrivedAt: used.at(-1)?.receivedAt.toString() },
    ...(deal.signedAt === null ? { signedAt: at } : {}),
  })
  if (moved === undefined) {
    throw new Error(`Deal ${deal.id} was moved although it was locked`)
  }
  await settleDealTask(context, deal, 'FundingMissing', 'the money arrived')
}

/** Held for one bank day, unless it waits for its deal, or for people. */
async function hold(context: Within, { receipt, deal, country }: Matched, reason: HoldReason): Promise<void> {
  const at = context.clock.now()
  const { receivedAt, amount } = receipt
  const dueAt = reason === 'early' || reason === 'unknown' ? null : oneBankDayAfter(later(receivedAt, at), country)
  await writeReceipt(context.database, receipt, { state: 'held', at, reason, dueAt, dealId: deal?.id ?? null })
  if (deal !== undefined) {
    const detail = { amount: printMoney(amount), why: reason, ...(dueAt && { until: dueAt.toString() }) }
    await insertDealEvent(context.database, deal, { at, event: 'money-held', detail })
  }
  if (reason === 'unknown') {
    const about = { provider: receipt.provider, providerReceiptId: receipt.providerReceiptId }
    const subject = { partnerId: NOBODY, subjectType: 'receipt', subjectId: receipt.id } as const
    await raiseTask(context, { ...subject, kind: 'UnknownReceipt', detail: about })
  }
}

function later(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? other : one
}
