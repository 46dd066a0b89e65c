/** Shows what became of the exchange of a payment: its terms, its funding, its payout, and what happened when. */

import type { ExchangeShown } from '../../../contract/fx/exchange-progress.ts'
import type { ExchangeTerms } from '../../../contract/fx/exchange-terms.ts'
import type { Context } from '../../context.ts'
import type { Deal, DealState } from '../../fx/deals/deal.ts'
import { findDeal } from '../../fx/deals/find-deal-by-payment.ts'
import { type DealEvent, timelineOf } from '../../fx/deals/get-deal-timeline.ts'
import { payoutDateOf } from '../../fx/quotes/create-quote.ts'
import { findQuote } from '../../fx/quotes/find-quote.ts'
import type { Quote } from '../../fx/quotes/quote.ts'
import type { ExchangeState } from '../../orders/exchange/exchange.ts'
import type { Payment } from '../../orders/payment.ts'
import { printTimestamp } from '../../platform/format-timestamp.ts'
import { printMoney } from '../../platform/money.ts'
import { exchangeTermsOf } from './exchange-terms.ts'

type FundingShown = NonNullable<ExchangeShown['funding']>
type PayoutShown = NonNullable<ExchangeShown['payout']>
type StepShown = NonNullable<ExchangeShown['timeline']>[number]

/** Nothing for a payment without exchange. */
export async function showExchange(context: Context, payment: Payment): Promise<ExchangeTerms & ExchangeShown> {
  const { partnerId, id: paymentId, exchange, quoteId } = payment
  const quote = quoteId === null ? undefined : await findQuote(context, { partnerId, id: quoteId })
  if (exchange === null || quote === undefined) {
    return {}
  }
  const deal = await findDeal(context.database, { partnerId, paymentId })
  const events = deal === undefined ? [] : await timelineOf(context.database, deal)
  return {
    // Of a domestic payment the terms are its own parts.
    ...(payment.type === 'CrossBorder' ? exchangeTermsOf(quote) : {}),
    funding: fundingOf(payment, exchange, quote),
    payout: payoutOf(exchange, quote, deal),
    timeline: [{ at: printTimestamp(quote.createdAt), event: 'Quoted' }, ...events.flatMap(stepOf)],
  }
}

const fundingStatus: Readonly<Record<ExchangeState, FundingShown['status']>> = {
  booking: 'Unsigned',
  awaited: 'Unsigned',
  standing: 'Signed',
  funded: 'Arrived',
  paid: 'Arrived',
  returned: 'Arrived',
  broken: 'NotFunded',
  refused: 'NotFunded',
  unwithdrawn: 'NotFunded',
}

function fundingOf({ signedAt, deadlineAt }: Payment, exchange: ExchangeState, quote: Quote): FundingShown {
  return {
    amount: printMoney(quote.cost),
    referenceCode: quote.referenceCode,
    status: fundingStatus[exchange],
    signBefore: printTimestamp(deadlineAt ?? quote.expiresAt),
    ...(signedAt === null ? {} : { signedAt: printTimestamp(signedAt) }),
  }
}

const payoutStatus: Readonly<Record<ExchangeState, PayoutShown['status']>> = {
  booking: 'Waiting',
  awaited: 'Waiting',
  standing: 'Waiting',
  funded: 'Ordered',
  paid: 'Completed',
  returned: 'Returned',
  broken: 'Undone',
  refused: 'Undone',
  unwithdrawn: 'Undone',
}

function payoutOf(exchange: ExchangeState, quote: Quote, deal: Deal | undefined): PayoutShown {
  const returned = deal?.returned ?? null
  return {
    amount: printMoney(quote.held.buy),
    status: payoutStatus[exchange],
    expectedDate: payoutDateOf(quote).toString(),
    ...(returned === null ? {} : { returnedAmount: printMoney(returned) }),
  }
}

/** What each event of a deal is called; those that say nothing to partners have no name. */
const eventNames: Readonly<
  Record<DealState | 'money-held' | 'money-sent-back' | 'money-back-at-sender', StepShown['event']>
> = {
  booking: 'Booked',
  booked: 'Booked',
  failed: 'BookingRefused',
  standing: 'Signed',
  funded: 'Funded',
  paying: 'PayoutOrdered',
  paid: 'PaidOut',
  returned: 'PayoutReturned',
  refunded: 'Refunded',
  breaking: 'Undoing',
  broken: 'Undone',
  'money-held': 'MoneyHeld',
  'money-sent-back': 'MoneySentBack',
  'money-back-at-sender': 'MoneyBackAtSender',
}

function stepOf({ at, event, detail }: DealEvent): readonly StepShown[] {
  const name = Object.hasOwn(eventNames, event) ? eventNames[event as keyof typeof eventNames] : undefined
  const amount = moneyIn(detail['amount'])
  const reason = detail['reason'] ?? detail['why']
  return name === undefined
    ? []
    : [
        {
          at: printTimestamp(at),
          event: name,
          ...(amount === undefined ? {} : { amount }),
          ...(typeof reason === 'string' ? { reason } : {}),
        },
      ]
}

/** Details are kept as JSON. */
function moneyIn(value: unknown): StepShown['amount'] {
  const { amount, currency } = Object(value) as { readonly amount?: unknown; readonly currency?: unknown }
  return typeof amount === 'string' && typeof currency === 'string' ? { amount, currency } : undefined
}
