/** Books the exchange of a payment that is kept, and says when its bank may be asked. */

import { bookDeal, QuoteTaken } from '../../fx/book-deal.ts'
import type { FxContext } from '../../fx/fx-context.ts'
import type { Quote } from '../../fx/quotes/quote.ts'
import { CROSS_BORDER, type Telling, takenQuote } from '../../orders/exchange/exchange-errors.ts'
import { beginAwaiting } from '../../orders/exchange/exchange-store.ts'
import { recoverAt } from '../../orders/submission/bank-request.ts'
import type { Intent } from '../../orders/submission/submission.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { giveUpExchange } from './give-up-exchange.ts'

/** What is given up where a booking comes to nothing. */
type Booked = Pick<Intent, 'partnerId' | 'paymentId' | 'bankRequestId'>

/** Returns when the deal is booked. What is refused, or not known in time, leaves nothing of the payment. */
export async function bookForPayment(
  context: FxContext,
  intent: Booked,
  quote: Quote,
  telling: Telling = CROSS_BORDER,
): Promise<void> {
  const { partnerId, paymentId } = intent
  try {
    const { deal, refusal } = await bookDeal(context, { quote, paymentId, terms: quote.terms })
    if (refusal !== null) {
      throw telling.refusalOf(refusal)
    }
    const isBooked = deal.state === 'booked'
    if (
      !(
        isBooked &&
        (await beginAwaiting(context.database, { partnerId, id: paymentId }, { recoverAt: recoverAt(context) }))
      )
    ) {
      throw refuse(
        'unavailable',
        'The exchange could not be booked in time; nothing was ordered, and it may be sent again',
      )
    }
  } catch (error) {
    await giveUpExchange(context, intent, error)
    throw error instanceof QuoteTaken ? takenQuote(telling) : error
  }
}
