/** Renders the exchange of a payment: its terms, funding, payout and timeline. */
import type { ExchangeProgress } from '../../contract/fx/exchange-progress.ts'
import type { ExchangeTerms } from '../../contract/fx/exchange-terms.ts'
import type { Context } from '../context.ts'
import { findDeal, getDealTimeline } from '../fx/deals/get-deal.ts'
import { payoutDateOf } from '../fx/quotes/create-quote.ts'
import { findQuote } from '../fx/quotes/find-quote.ts'
import { intermediaryAccountResponse } from '../fx/quotes/intermediary-account.ts'
import { rateOf } from '../fx/rates/rate-arithmetic.ts'
import { type Deal, type DealEvent, type DealState, exchangeStepByState } from '../fx/store/deal.ts'
import type { Quote } from '../fx/store/quote.ts'
import type { ExchangeState } from '../orders/exchange-state.ts'
import type { Payment } from '../orders/payment.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { formatMoney } from '../platform/money.ts'

type FundingShown = NonNullable<ExchangeProgress['funding']>
type PayoutShown = NonNullable<ExchangeProgress['payout']>
type StepShown = NonNullable<ExchangeProgress['timeline']>[number]

/** Returns an empty object for a payment without exchange. */
export async function exchangeDetailsOf(context: Context, payment: Payment): Promise<ExchangeTerms & ExchangeProgress> {
  const { partnerId, id: paymentId, exchange, quoteId } = payment
  const quote = quoteId === null ? undefined : await findQuote(context, { partnerId, id: quoteId })
  if (exchange === null || quote === undefined) {
    return {}
  }
  const deal = await findDeal(context.database, { partnerId, paymentId })
  const events = deal === undefined ? [] : await getDealTimeline(context.database, deal)
  return {
    // A domestic payment contains the terms itself.
    ...(payment.type === 'CrossBorder' ? exchangeTermsOf(quote) : {}),
    funding: fundingOf(payment, exchange, quote),
    payout: payoutOf(exchange, quote, deal),
    timeline: [{ at: formatTimestamp(quote.createdAt), event: 'Quoted' }, ...events.flatMap(stepOf)],
  }
}

type ShownStatuses = { readonly funding: FundingShown['status']; readonly payout: PayoutShown['status'] }

const shownByState: Readonly<Record<ExchangeState, ShownStatuses>> = {
  booking: { funding: 'Unsigned', payout: 'Waiting' },
  unsigned: { funding: 'Unsigned', payout: 'Waiting' },
  confirmed: { funding: 'Signed', payout: 'Waiting' },
  funded: { funding: 'Arrived', payout: 'Ordered' },
  paid: { funding: 'Arrived', payout: 'Completed' },
  returned: { funding: 'Arrived', payout: 'Returned' },
  cancelled: { funding: 'NotFunded', payout: 'Undone' },
  rejected: { funding: 'NotFunded', payout: 'Undone' },
  uncancellable: { funding: 'NotFunded', payout: 'Undone' },
}

function fundingOf({ signedAt, deadlineAt }: Payment, exchange: ExchangeState, quote: Quote): FundingShown {
  return {
    amount: formatMoney(quote.cost),
    referenceCode: quote.referenceCode,
    status: shownByState[exchange].funding,
    signBefore: formatTimestamp(deadlineAt ?? quote.expiresAt),
    ...(signedAt === null ? {} : { signedAt: formatTimestamp(signedAt) }),
  }
}

function payoutOf(exchange: ExchangeState, quote: Quote, deal: Deal | undefined): PayoutShown {
  const returned = deal?.returned ?? null
  return {
    amount: formatMoney(quote.held.buy),
    status: shownByState[exchange].payout,
    expectedDate: payoutDateOf(quote).toString(),
    ...(returned === null ? {} : { returnedAmount: formatMoney(returned) }),
  }
}

/** The names of deal events in the timeline; events that partners do not see are missing. */
const eventNames: Readonly<
  Record<DealState | 'money-held' | 'money-sent-back' | 'money-back-at-sender', StepShown['event']>
> = {
  booking: 'Booked',
  booked: 'Booked',
  failed: 'BookingRefused',
  ...exchangeStepByState,
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
          at: formatTimestamp(at),
          event: name,
          ...(amount === undefined ? {} : { amount }),
          ...(typeof reason === 'string' ? { reason } : {}),
        },
      ]
}

/** Event details are stored as JSON. */
function moneyIn(value: unknown): StepShown['amount'] {
  const { amount, currency } = Object(value) as { readonly amount?: unknown; readonly currency?: unknown }
  return typeof amount === 'string' && typeof currency === 'string' ? { amount, currency } : undefined
}

/** Returns the terms of a quote that a payment books. */
export function exchangeTermsOf(
  quote: Pick<Quote, 'id' | 'cost' | 'held' | 'expiresAt' | 'intermediary'>,
): ExchangeTerms {
  return {
    costAmount: formatMoney(quote.cost),
    exchangeRate: rateOf(quote.cost, quote.held.buy),
    quoteExpiryTime: formatTimestamp(quote.expiresAt),
    intermediaryAccount: intermediaryAccountResponse(quote.intermediary),
    quoteId: quote.id,
  }
}
