/** Takes a cross-border payment with exchange: books a quote, and hands the order that funds it to the debtor's bank. */
import type { CrossBorderInitiated } from '../../../contract/payments/cross-border-operations.ts'
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { requireAccountOnConsent } from '../../accounts/require-account.ts'
import { numberOf as creditorNumberOf, type DomesticOrder } from '../../banks/connector/domestic-order.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { FxContext } from '../../fx/fx-context.ts'
import type { Quote } from '../../fx/quotes/quote.ts'
import { whyReferenceDoesNotFit } from '../../fx/quotes/reference-code.ts'
import { refusalOfKeeping } from '../../orders/exchange/exchange-errors.ts'
import { situationAt } from '../../orders/instructions/validation-context.ts'
import { type Intent, keepIntent } from '../../orders/submission/submission.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { balanceWarning } from '../balance-warning.ts'
import { crossBorderWarnings } from '../cross-border/cross-border-warnings.ts'
import { handOver } from '../hand-over.ts'
import { type Initiation, requireDomesticPayments } from '../initiate-domestic-payment.ts'
import { keepAcceptanceOf } from '../keep-acceptance.ts'
import { bookForPayment } from './book-for-payment.ts'
import { requireNoTwin } from './check-duplicate-exchange.ts'
import { exchangeTermsOf } from './exchange-terms.ts'
import { fundingOrderOf } from './funding-order.ts'
import { refusalOfFundingOrder } from './funding-refusal.ts'
import { quoteFor } from './quote-for.ts'

/** What is known before the quote. */
type Prepared = { readonly account: ConsentAccount; readonly warnings: readonly PaymentWarning[] }

/**
 * Whatever the bank is asked beforehand is asked before there is a quote: its time is the user's, to sign in. From the
 * quote on the payment is kept, then the deal booked, and only then the bank asked; whoever dies in between leaves a
 * payment that recovery gives up, and a deal that it has undone.
 */
export async function initiateWithExchange(
  context: FxContext,
  caller: ConsentCaller,
  ordered: CrossBorderPayment,
  initiation: Initiation,
): Promise<CrossBorderInitiated> {
  const { bank } = initiation
  if (context.fx === null) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', 'No money is exchanged here: no provider of exchange is configured')
  }
  const product = requireDomesticPayments(context, bank)
  const misfit = whyReferenceDoesNotFit(bank)
  if (misfit !== undefined) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', misfit)
  }
  const { account, warnings } = await prepare(context, caller, ordered, initiation)
  const quote = await quoteFor(context, caller, ordered)
  const order = fundingOrderOf(ordered, quote, bank, account.iban)
  const intent = await keepFunding(context, caller, { ordered, order, quote, warnings }, initiation)
  const { localNow } = situationAt(context.clock, bank, caller.consent)
  const [low] = await Promise.all([
    balanceWarning(context, caller, { ...order, account, localNow }),
    bookForPayment(context, intent, quote),
  ])
  const warned = { ...intent, warnings: [...intent.warnings, ...low] }
  const taken = await handOver(context, caller, warned, { bank, product, refusalOf: refusalOfFundingOrder })
  return await keepAcceptanceOf(context, warned, taken, initiation)
}

async function prepare(
  context: FxContext,
  caller: ConsentCaller,
  ordered: CrossBorderPayment,
  { bank, findAccount }: Initiation,
): Promise<Prepared> {
  const { account, currency } = ordered.from
  const debited = await requireAccountOnConsent(findAccount, caller, { bban: account.bban, currency })
  const alike = await requireNoTwin(context, caller, ordered)
  const others = await crossBorderWarnings(context, ordered, situationAt(context.clock, bank, caller.consent))
  return { account: debited, warnings: [...alike, ...others] }
}

/** What is kept of a payment that books a quote. */
type Funding = Pick<Prepared, 'warnings'> & {
  readonly ordered: CrossBorderPayment
  readonly order: DomesticOrder
  readonly quote: Quote
}

async function keepFunding(
  context: FxContext,
  caller: ConsentCaller,
  { ordered, order, quote, warnings }: Funding,
  initiation: Initiation,
): Promise<Intent> {
  const exchange = { quoteId: quote.id, deadlineAt: quote.expiresAt, told: exchangeTermsOf(quote) }
  const creditorNumber = creditorNumberOf(order.creditor.account)
  const asked = { type: 'CrossBorder', ordered, order, creditorNumber, warnings, exchange } as const
  try {
    return await keepIntent(context, caller, asked, initiation)
  } catch (error) {
    throw refusalOfKeeping(error)
  }
}
