/** Takes a domestic payment from a partner, hands it to the debtor's bank and keeps it. */
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import type { PaymentInitiated } from '../../contract/payments/payment-operations.ts'
import { requireAccountOnConsent } from '../accounts/require-account.ts'
import type { DomesticPaymentProduct } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { FindCompany } from '../companies/company-finder.ts'
import { requirePaying } from '../companies/require-company.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import type { IdempotentRequest } from '../foundation/http/idempotency.ts'
import type { FxContext } from '../fx/fx-context.ts'
import type { Quote } from '../fx/quotes/quote.ts'
import { DOMESTIC } from '../orders/exchange/exchange-errors.ts'
import { type KeepingOf, keepIntentOf } from '../orders/submission/submission.ts'
import type { KeepAcceptance, KeepIntent } from '../orders/submission/submission-store.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { refusalOfOrder } from './domestic/domestic-order-error.ts'
import { bookForPayment } from './exchange/book-for-payment.ts'
import { quoteBookedBy } from './exchange/find-quote-of-domestic-payment.ts'
import { handOver } from './hand-over.ts'
import { keepAcceptanceOf } from './keep-acceptance.ts'

/** What initiating works with besides the context: statements that concurrent requests share, and this request's own. */
export type Initiation = {
  readonly bank: Bank
  readonly findCompany: FindCompany
  readonly findAccount: FindAccount
  readonly keepIntent: KeepIntent
  readonly keepAcceptance: KeepAcceptance
  readonly idempotent: IdempotentRequest | null
}

/**
 * The bank is asked once: after the intent is kept, and while no database connection is held.
 * Throws 503 with the payment's id when it is not known whether the bank took the order.
 */
export async function initiateDomesticPayment(
  context: FxContext,
  caller: ConsentCaller,
  ordered: DomesticPayment,
  initiation: Initiation,
): Promise<PaymentInitiated> {
  const payments = requireDomesticPayments(context, initiation.bank)
  const [, account] = await inOrder([
    requirePaying(initiation.findCompany, caller.consent),
    requireAccountOnConsent(initiation.findAccount, caller, {
      bban: ordered.from.account.bban,
      currency: ordered.from.currency,
    }),
  ])
  const quote = await quoteBookedBy(context, caller, ordered)
  const intent = await keepIntentOf(context, caller, ordered, { ...initiation, account, ...bookingOf(quote) })
  await (quote && bookForPayment(context, intent, quote, DOMESTIC))
  const { bank } = initiation
  const taken = await handOver(context, caller, intent, { bank, product: payments, refusalOf: refusalOfOrder })
  return await keepAcceptanceOf(context, intent, taken, initiation)
}

/** What the bank offers of domestic payments. Throws `UNSUPPORTED_PRODUCT_BY_BANK`. */
export function requireDomesticPayments({ banks }: Context, bank: Bank): DomesticPaymentProduct {
  const { domesticPayments } = banks.connectorOf(bank)
  if (domesticPayments === undefined || !bank.profile.products.includes('PAYMENT_DOMESTIC')) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} takes no domestic payments here`)
  }
  return domesticPayments
}

/** Lets look-ups run at once; of several refusals the first in the list is told, whichever came first. */
async function inOrder<First, Second>(
  requirements: readonly [Promise<First>, Promise<Second>],
): Promise<readonly [First, Second]> {
  const [first, second] = requirements
  await Promise.allSettled(requirements)
  return [await first, await second]
}

/** What is kept of a payment that books a quote; its terms are its own parts, and told to nobody anew. */
function bookingOf(quote: Quote | undefined): Pick<KeepingOf, 'exchange'> {
  return quote === undefined ? {} : { exchange: { quoteId: quote.id, deadlineAt: quote.expiresAt, told: {} } }
}
