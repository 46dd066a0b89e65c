/** Simulates the call faults of scripted outcomes: late, lost and error responses. */

import { isId } from '../../../gateway/platform/ids.ts'
import type { Context } from '../context.ts'
import type { Fault } from '../faults.ts'
import { outcomeOfPayment } from '../outcomes/script-steps.ts'
import type { ScriptedCallFault } from '../outcomes/scripted-outcome.ts'
import { scriptedOutcomeOf } from '../outcomes/scripted-outcome-table.ts'
import { moneyIn } from '../outcomes/simulate-order-outcome.ts'
import { paymentById } from './payment-store.ts'

const FAULTABLE_OPERATIONS: readonly ScriptedCallFault['operation'][] = [
  'startPaymentAuthorisation',
  'getPaymentStatus',
  'cancelPayment',
  'startPaymentCancellationAuthorisation',
]

/** An incoming call before validation. */
export type IncomingCall = {
  readonly bank: string
  readonly operation: string
  readonly params: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** The fault for the amount of the payment that a call concerns; undefined for any other call. */
export async function scriptedFaultOfCall(context: Context, call: IncomingCall): Promise<Fault | undefined> {
  const trouble = await scriptedFaultOf(context, call)
  if (trouble === undefined) {
    return undefined
  }
  const { between: _between, ...fault } = trouble
  return { bank: call.bank, ...fault }
}

async function scriptedFaultOf(context: Context, { bank, params, body, ...call }: IncomingCall) {
  // Faults of a payment apply to a bulk as well.
  const operation = call.operation.replace('BulkPayment', 'Payment')
  if (operation === 'initiatePayment') {
    const money = moneyIn(body)
    return money && scriptedOutcomeOf(money)?.script.callFaults?.find((one) => one.operation === operation)
  }
  const { paymentId } = params
  if (paymentId === undefined || !isId(paymentId) || !isFaultableOperation(operation)) {
    return undefined
  }
  const payment = await paymentById(context.database.query, bank, paymentId.toLowerCase())
  const trouble = payment && outcomeOfPayment(payment)?.script.callFaults?.find((one) => one.operation === operation)
  return trouble && isActive(trouble, payment.signed_at, context.clock.now()) ? trouble : undefined
}

/** Only these operations can have faults; others need no payment lookup. */
function isFaultableOperation(operation: string): boolean {
  return FAULTABLE_OPERATIONS.some((faultable) => faultable === operation)
}

function isActive({ between }: ScriptedCallFault, signedAt: Temporal.Instant | null, now: Temporal.Instant): boolean {
  if (between === undefined || signedAt === null) {
    return between === undefined
  }
  const hasBegun = Temporal.Instant.compare(now, signedAt.add(between.from)) >= 0
  return hasBegun && Temporal.Instant.compare(now, signedAt.add(between.until)) < 0
}
