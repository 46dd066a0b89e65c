/** Takes what became of a deal to the payment that it belongs to. */
import type { Context } from '../../context.ts'
import { breakDeal } from '../../fx/break-deal.ts'
import type { Deal, DealState } from '../../fx/deals/deal.ts'
import { type ExchangeState, exchangeMayBecome } from '../../orders/exchange/exchange.ts'
import type { Payment } from '../../orders/payment.ts'
import { findPayment } from '../../orders/payment-store.ts'
import { Overtaken } from '../../orders/status/record-payment-status.ts'
import { recordExchange } from './record-exchange-state.ts'

/** Nobody is overtaken more often than this: a bank's words come one at a time. */
const ATTEMPTS_MAX = 5

/** What the states of deals mean to payments; those that follow from the payment itself tell it nothing. */
const MEANS: Readonly<Partial<Record<DealState, ExchangeState>>> = {
  funded: 'funded',
  paying: 'funded',
  paid: 'paid',
  returned: 'returned',
  refunded: 'returned',
  failed: 'broken',
  breaking: 'broken',
  broken: 'broken',
}

/** Told twice, it changes nothing the second time; what the payment cannot become any more is left as it is. */
export async function followDeal(context: Context, deal: Deal): Promise<void> {
  const { partnerId, paymentId } = deal
  for (let attempt = 0; paymentId !== null && attempt < ATTEMPTS_MAX; attempt += 1) {
    const payment = await findPayment(context.database, { partnerId, id: paymentId })
    if (payment === undefined) {
      // Its process was slow, and recovery forgot the payment; then it died.
      await breakDeal(context, deal, 'given-up')
      return
    }
    const to = nextOf(payment, deal)
    if (to === undefined || (await wasRecorded(context, payment, to, textOf(deal)))) {
      return
    }
  }
  throw new Error(`Payment ${paymentId} did not take what became of its deal`)
}

/** Undefined where nothing is to be recorded. */
function nextOf({ exchange, outcome }: Payment, { state }: Deal): ExchangeState | undefined {
  const meant = MEANS[state]
  if (exchange === null || meant === undefined || exchange === 'booking') {
    return undefined
  }
  // Undone on the word of people: the bank may hold the order all the same.
  const mayBeHeld = exchange === 'awaited' && meant === 'broken' && outcome !== 'void'
  const to = mayBeHeld ? 'unwithdrawn' : meant
  const isNewer = exchangeMayBecome[exchange].includes(to) && !(exchange === 'unwithdrawn' && to === 'broken')
  return isNewer ? to : undefined
}

async function wasRecorded(
  context: Context,
  payment: Payment,
  to: ExchangeState,
  text: string | null,
): Promise<boolean> {
  try {
    await recordExchange(context, payment, to, text)
    return true
  } catch (error) {
    if (error instanceof Overtaken) {
      return false
    }
    throw error
  }
}

const TEXTS: Readonly<Partial<Record<DealState, string>>> = {
  returned: 'The payout came back from the receiver’s bank',
  refunded: 'The payout came back from the receiver’s bank',
  breaking: 'The exchange was undone: the money for it did not come',
  broken: 'The exchange was undone: the money for it did not come',
}

function textOf({ state }: Deal): string | null {
  return TEXTS[state] ?? null
}
