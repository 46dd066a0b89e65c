/** Hands an order that is kept as an intent over to its bank, and ends the intent when the bank does not take it. */

import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { BankCaller } from '../banks/connector/connector.ts'
import type { InitiationRequest, OrderTaken } from '../banks/connector/order-at-bank.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { giveUp } from '../orders/submission/fail-submission.ts'
import { type Intent, namedIn } from '../orders/submission/submission.ts'
import { outcomeUnknown } from '../platform/http/errors/api-error.ts'
import { giveUpExchange } from './exchange/give-up-exchange.ts'
import { takenInOwnWords } from './payroll-order/in-own-words.ts'

/** To whom an order is handed, and what partners are told when it is refused. */
export type Receiving<Order, Taken extends OrderTaken = OrderTaken> = {
  readonly bank: Bank
  readonly product: {
    initiate(caller: BankCaller, order: Order, request: InitiationRequest): Promise<Taken>
  }
  readonly refusalOf: (refusal: BankRefusal) => Error
  /** Ends what the bank refused; forgets the intent unless told otherwise. */
  readonly endRefused?: (refusal: BankRefusal) => Promise<void>
}

/** Asks the bank once. A refusal leaves nothing behind; anything unclear leaves a payment whose outcome is unknown. */
export async function handOver<Order, Taken extends OrderTaken>(
  context: Context,
  { consent, psu }: ConsentCaller,
  intent: Intent<Order>,
  { bank, product, refusalOf, endRefused }: Receiving<Order, Taken>,
): Promise<Taken> {
  const { order, bankRequestId: requestId, notification } = intent
  try {
    return await withLiveTokens(context, { partnerId: consent.partnerId, consentId: consent.id }, async () => {
      const asking = await callerAtBank(context, { bank, consent, psu })
      const place = () => product.initiate(asking, order, { requestId, notification })
      return intent.payrollId === undefined ? await place() : await takenInOwnWords(place)
    })
  } catch (error) {
    const isCertain = error instanceof BankRefusal && error.kind !== 'outcome-unknown'
    const isKept = await keepsThat(context, intent, async () =>
      isCertain && endRefused !== undefined
        ? await endRefused(error)
        : await endIntent(context, intent, isCertain, error),
    )
    throw isCertain && isKept ? refusalOf(error) : orderUnknown(intent)
  }
}

/** What funds an exchange is not forgotten before the deal is undone. */
async function endIntent(
  context: Context,
  intent: Parameters<typeof giveUp>[1] & Pick<Intent, 'exchange'>,
  isCertain: boolean,
  cause: unknown,
): Promise<void> {
  if (isCertain && intent.exchange !== undefined) {
    await giveUpExchange(context, intent, cause)
  } else {
    await giveUp(context, intent, isCertain ? 'refused' : 'unknown', cause)
  }
}

/** What cannot be kept now stays an intent: recovery takes it up as an unknown outcome, and nothing is asked twice. */
async function keepsThat(
  context: Context,
  { paymentId }: Pick<Intent, 'paymentId'>,
  keep: () => Promise<void>,
): Promise<boolean> {
  try {
    await keep()
    return true
  } catch (error) {
    context.log.error({ paymentId, error }, 'how an initiation ended could not be kept')
    return false
  }
}

function orderUnknown(intent: Pick<Intent, 'paymentId' | 'payrollId'>): Error {
  const kind = intent.payrollId === undefined ? 'payment' : 'payroll'
  const detail = `the ${kind} may or may not be at the bank. Do not send it again; follow the ${kind} named here`
  return outcomeUnknown(namedIn(intent), detail)
}
