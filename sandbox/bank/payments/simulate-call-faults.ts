/** Simulates the call faults of scripted outcomes: late, lost and error responses. */

import { isId } from '../../../gateway/platform/ids.ts'
import type { Context } from '../context.ts'
import type { Fault } from '../faults.ts'
import { outcomeOfPayment } from '../outcomes/script-steps.ts'
import type { ScriptedCallFault } from '../outcomes/scripted-outcome.ts'
import { moneyIn, outcomes, scriptedOutcomeOf } from '../outcomes/scripted-outcome-table.ts'
import { paymentById } from './payment-store.ts'

/** Only these operations of payments can have faults; others need no payment lookup. */
const FAULTABLE_OPERATIONS: ReadonlySet<string> = new Set(
  outcomes.flatMap(({ script }) => script.callFaults?.map(({ operation }) => operation) ?? []),
)

/** An incoming call before validation. */
export type IncomingCall = {
  readonly bank: string
  readonly operation: string
  readonly params: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** The fault for the amount of the payment that a call concerns; undefined for any other call. */
export async function scriptedFaultOfCall(context: Context, call: IncomingCall): Promise<Fault | undefined> {
  const { bank, params, body } = call
  // Faults of a payment apply to a bulk as well.
  const operation = call.operation.replace('BulkPayment', 'Payment')
  if (!FAULTABLE_OPERATIONS.has(operation)) {
    return undefined
  }
  const { paymentId } = params
  const payment =
    paymentId !== undefined && isId(paymentId) ? await paymentById(context, bank, paymentId.toLowerCase()) : undefined
  const money = operation === 'initiatePayment' ? moneyIn(body) : undefined
  const outcome = payment === undefined ? money && scriptedOutcomeOf(money) : outcomeOfPayment(payment)
  const fault = outcome?.script.callFaults?.find((one) => one.operation === operation)
  const isOfCall = fault !== undefined && isActive(fault, payment?.signed_at ?? null, context.clock.now())
  return isOfCall ? { ...fault, bank } : undefined
}

function isActive({ between }: ScriptedCallFault, signedAt: Temporal.Instant | null, now: Temporal.Instant): boolean {
  if (between === undefined || signedAt === null) {
    return between === undefined
  }
  const hasBegun = Temporal.Instant.compare(now, signedAt.add(between.from)) >= 0
  return hasBegun && Temporal.Instant.compare(now, signedAt.add(between.until)) < 0
}
