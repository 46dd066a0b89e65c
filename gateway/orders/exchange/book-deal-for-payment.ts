/** Books the deal of a stored payment, after which its order may be submitted to the bank, or abandons the exchange. */
import type { Context } from '../../context.ts'
import { bookDeal, QuoteAlreadyBooked } from '../../fx/deals/book-deal.ts'
import { cancelDeal } from '../../fx/deals/change-deal.ts'
import { findDeal } from '../../fx/deals/get-deal.ts'
import type { Quote } from '../../fx/store/quote.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import type { ProgramContext } from '../../platform/program-context.ts'
import type { ExchangeState } from '../exchange-state.ts'
import { recordBookingsAsSubmitted, recordExchangeAbandoned, recordExchangeBooked } from '../store/exchange-store.ts'
import { findPayment } from '../store/payment-store.ts'
import { type FailedSubmission, rejectSubmission, tryRecordOutcome } from '../submit/fail-submission.ts'
import { recoverAt } from '../submit/submission.ts'
import { type ExchangeErrorMapping, quoteAlreadyBookedError } from './exchange-errors.ts'

/**
 * Returns when the deal is booked, with the time until which its order may be submitted. Deletes the payment and throws
 * when the booking is rejected or not confirmed in time.
 */
export async function bookDealForPayment(
  context: Context,
  submission: FailedSubmission,
  quote: Quote,
  mapping: ExchangeErrorMapping,
): Promise<{ readonly recoverAt: Temporal.Instant }> {
  const { partnerId, paymentId } = submission
  try {
    const { deal, rejection } = await bookDeal(context, { quote, paymentId, terms: quote.terms })
    if (rejection !== null) {
      throw mapping.errorOf(rejection)
    }
    const recovery = { recoverAt: recoverAt(context) }
    const isBooked = deal.state === 'booked'
    if (!(isBooked && (await recordExchangeBooked(context.database, { partnerId, id: paymentId }, recovery)))) {
      throw apiError(
        'unavailable',
        'The exchange could not be booked in time. Nothing was ordered; send the payment again',
      )
    }
    return recovery
  } catch (error) {
    await tryRecordOutcome(context, submission, () => abandonExchange(context, submission, error))
    throw error instanceof QuoteAlreadyBooked ? quoteAlreadyBookedError(mapping) : error
  }
}

/**
 * The states from which each caller may abandon it: only the process that submits knows that the bank holds no order.
 */
const ABANDONABLE_FROM = {
  asker: ['booking', 'unsigned', 'cancelled'],
  recovery: ['booking', 'cancelled'],
} as const satisfies Record<string, readonly ExchangeState[]>

/**
 * Can be repeated after a crash: the payment is marked first, then the deal is cancelled, then the payment is deleted.
 * Returns false when the bank holds, or may hold, the order by now.
 */
export async function abandonExchange(
  context: Context,
  submission: FailedSubmission,
  cause: unknown,
  by: keyof typeof ABANDONABLE_FROM = 'asker',
): Promise<boolean> {
  const { partnerId, paymentId } = submission
  const key = { partnerId, id: paymentId }
  const isAbandoned = await recordExchangeAbandoned(context.database, key, ABANDONABLE_FROM[by])
  // Recovery may have deleted the payment before this process had booked the deal.
  if (!isAbandoned && (await findPayment(context.database, key)) !== undefined) {
    return false
  }
  const deal = await findDeal(context.database, { partnerId, paymentId })
  await (deal && cancelDeal(context, deal, 'given-up'))
  await rejectSubmission(context, submission, cause)
  return true
}

/** In a restored database: what was being booked may have been submitted since, and recovery must not delete it. */
export async function recordRestoredBookings({ database }: ProgramContext): Promise<void> {
  await recordBookingsAsSubmitted(database)
}
