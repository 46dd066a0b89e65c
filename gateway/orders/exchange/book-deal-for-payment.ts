/** Books the deal of a stored payment, after which its order may be submitted to the bank. */

import type { Context } from '../../context.ts'
import { bookDeal, QuoteAlreadyBooked } from '../../fx/deals/book-deal.ts'
import type { Quote } from '../../fx/quotes/quote.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { recordExchangeBooked } from '../store/exchange-store.ts'
import { recoverAt, type Submission } from '../submit/submission.ts'
import { abandonExchange } from './abandon-exchange.ts'
import { CROSS_BORDER, type ExchangeErrorMapping, quoteAlreadyBookedError } from './exchange-errors.ts'

/** The submission that is abandoned when the booking fails. */
type Booked = Pick<Submission, 'partnerId' | 'paymentId' | 'bankRequestId'>

/**
 * Returns when the deal is booked. Deletes the payment and throws when the booking is rejected or not confirmed in
 * time.
 */
export async function bookDealForPayment(
  context: Context,
  submission: Booked,
  quote: Quote,
  mapping: ExchangeErrorMapping = CROSS_BORDER,
): Promise<void> {
  const { partnerId, paymentId } = submission
  try {
    const { deal, rejection } = await bookDeal(context, { quote, paymentId, terms: quote.terms })
    if (rejection !== null) {
      throw mapping.errorOf(rejection)
    }
    const isBooked = deal.state === 'booked'
    if (
      !(
        isBooked &&
        (await recordExchangeBooked(context.database, { partnerId, id: paymentId }, { recoverAt: recoverAt(context) }))
      )
    ) {
      throw apiError(
        'unavailable',
        'The exchange could not be booked in time. Nothing was ordered; send the payment again',
      )
    }
  } catch (error) {
    await abandonExchange(context, submission, error)
    throw error instanceof QuoteAlreadyBooked ? quoteAlreadyBookedError(mapping) : error
  }
}
