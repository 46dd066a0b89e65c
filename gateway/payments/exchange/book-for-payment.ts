/** Books the exchange of a payment that is kept, and says when its bank may be asked. */
import { isConstraintViolation } from '../../foundation/database/coalesce.ts'
import { invalid, refuse } from '../../foundation/http/refusal.ts'
import { bookDeal, QuoteTaken } from '../../fx/book-deal.ts'
import type { FxContext } from '../../fx/fx-context.ts'
import { type FxRefusal, isPassing } from '../../fx/provider/fx-refusal.ts'
import type { Quote } from '../../fx/quote.ts'
import { recoverAt } from '../bank-request.ts'
import type { Intent } from '../intent.ts'
import { beginAwaiting } from './exchange-store.ts'
import { giveUpExchange } from './give-up-exchange.ts'
import { refusalOfExchange } from './refusal-of-exchange.ts'

/** What is given up where a booking comes to nothing. */
type Booked = Pick<Intent, 'partnerId' | 'paymentId' | 'bankRequestId'>

/** How partners are told that a quote is not booked, in the codes of their operation. */
type Telling = {
  readonly refusalOf: (refusal: FxRefusal) => Error
  /** Where the order names the quote. */
  readonly path: string
}

/** A quote that the order names, or was given for it. */
const CROSS_BORDER: Telling = { refusalOf: refusalOfExchange, path: '.quoteId' }
/** A quote that the message names. */
export const DOMESTIC: Telling = {
  path: '.remittanceInformation.value',
  refusalOf: ({ kind }) =>
    isPassing[kind]
      ? refuse(
          'unavailable',
          'The provider of exchange could not be asked; nothing was ordered, and it may be sent again',
        )
      : invalid(DOMESTIC.path, `names a quote that the provider does not book: ${kind}`, 'InvalidRemittanceInfo'),
}

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

/** What keeping a payment throws when another one has booked the quote. */
export function refusalOfKeeping(error: unknown, telling: Telling = CROSS_BORDER): unknown {
  return isConstraintViolation(error, 'payments_quote') ? takenQuote(telling) : error
}

function takenQuote({ path }: Telling): Error {
  return path === DOMESTIC.path
    ? invalid(path, 'names a quote that was booked before; a quote is booked once', 'InvalidRemittanceInfo')
    : invalid(path, 'was booked before; a quote is booked once')
}
