/** Plays the part of a scripted outcome that concerns calls: their answers are late, lost or errors. */

import { isId } from '../../../gateway/platform/ids.ts'
import type { BankContext } from '../bank-context.ts'
import type { Fault } from '../faults.ts'
import { paymentById } from '../payments/payment-store.ts'
import { outcomeOf } from './outcomes.ts'
import { outcomeOfPayment } from './script-steps.ts'
import type { Trouble } from './scripted-outcome.ts'
import { moneyIn } from './simulate-order-outcome.ts'

/** A call as it comes in, before anything of it was checked. */
export type IncomingCall = {
  readonly bank: string
  readonly operation: string
  readonly params: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** The fault that a call suffers because of the amount of the payment that it is about; undefined for any other. */
export async function faultOfCall(context: BankContext, call: IncomingCall): Promise<Fault | undefined> {
  const trouble = await troubleOf(context, call)
  if (trouble === undefined) {
    return undefined
  }
  const { between: _between, ...fault } = trouble
  return { bank: call.bank, ...fault }
}

async function troubleOf(context: BankContext, { bank, params, body, ...call }: IncomingCall) {
  // What goes wrong with one payment goes wrong with many that are one order.
  const operation = call.operation.replace('BulkPayment', 'Payment')
  if (operation === 'initiatePayment') {
    const money = moneyIn(body)
    return money && outcomeOf(money)?.script.troubles?.find((one) => one.operation === operation)
  }
  const { paymentId } = params
  if (paymentId === undefined || !isId(paymentId) || !mayGoWrong(operation)) {
    return undefined
  }
  const payment = await paymentById(context.database.query, bank, paymentId.toLowerCase())
  const trouble = payment && outcomeOfPayment(payment)?.script.troubles?.find((one) => one.operation === operation)
  return trouble && isOn(trouble, payment.signed_at, context.clock.now()) ? trouble : undefined
}

/** Other calls need not look for a payment that they are about. */
function mayGoWrong(operation: string): boolean {
  return operation === 'startPaymentAuthorisation' || operation === 'getPaymentStatus'
}

function isOn({ between }: Trouble, signedAt: Temporal.Instant | null, now: Temporal.Instant): boolean {
  if (between === undefined || signedAt === null) {
    return between === undefined
  }
  const hasBegun = Temporal.Instant.compare(now, signedAt.add(between.from)) >= 0
  return hasBegun && Temporal.Instant.compare(now, signedAt.add(between.until)) < 0
}
