/** Takes a domestic payment from a partner, hands it to the debtor's bank and keeps it. */
import type { DomesticPayment } from '../../contract/domestic-payment.ts'
import type { PaymentInitiated } from '../../contract/payments.ts'
import { requireAccountOnConsent } from '../accounts/require-account.ts'
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { DomesticPaymentProduct, OrderTaken } from '../banks/connector.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { FindAccount } from '../consents/find-account.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import type { IdempotentRequest } from '../foundation/http/idempotency.ts'
import { refuse } from '../foundation/http/refusal.ts'
import type { FindCompany } from '../onboarding/find-company.ts'
import { requirePaying } from '../onboarding/require-company.ts'
import { giveUp } from './give-up-intent.ts'
import type { KeepAcceptance, KeepIntent } from './initiation-store.ts'
import { type Intent, keepIntentOf } from './intent.ts'
import { keepAcceptanceOf } from './keep-acceptance.ts'
import { refusalOfOrder } from './order-refusal.ts'

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
  context: Context,
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
  const intent = await keepIntentOf(context, caller, ordered, { ...initiation, account })
  const taken = await handOver(context, caller, intent, { ...initiation, payments })
  return await keepAcceptanceOf(context, intent, taken, initiation)
}

function requireDomesticPayments({ banks }: Context, bank: Bank): DomesticPaymentProduct {
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

/** Asks the bank. A refusal leaves nothing behind; anything unclear leaves a payment whose outcome is unknown. */
async function handOver(
  context: Context,
  { consent, psu }: ConsentCaller,
  intent: Intent,
  { bank, payments }: { readonly bank: Bank; readonly payments: DomesticPaymentProduct },
): Promise<OrderTaken> {
  const { order, bankRequestId: requestId, notification } = intent
  try {
    return await withLiveTokens(context, { partnerId: consent.partnerId, consentId: consent.id }, async () => {
      const asking = await callerAtBank(context, { bank, consent, psu })
      return await payments.initiate(asking, order, { requestId, notification })
    })
  } catch (error) {
    const isCertain = error instanceof BankRefusal && error.kind !== 'outcome-unknown'
    const isKept = await keepsThat(context, intent, () =>
      giveUp(context, intent, isCertain ? 'refused' : 'unknown', error),
    )
    throw isCertain && isKept ? refusalOfOrder(error) : outcomeUnknown(intent)
  }
}

/** What cannot be kept now stays an intent: recovery takes it up as an unknown outcome, and nothing is asked twice. */
async function keepsThat(context: Context, { paymentId }: Intent, keep: () => Promise<void>): Promise<boolean> {
  try {
    await keep()
    return true
  } catch (error) {
    context.log.error({ paymentId, error }, 'how an initiation ended could not be kept')
    return false
  }
}

function outcomeUnknown({ paymentId }: Intent): Error {
  const message =
    'The bank was asked and its answer is not known: the payment may or may not be at the bank. ' +
    'Do not send it again; follow the payment named here'
  return refuse('unavailable', message, { paymentId })
}
