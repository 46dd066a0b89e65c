/** Makes sure that the bank holds what is about to be signed; orders that it let lapse are placed again. */
import type { Bank } from '../banks/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { Invalid } from '../foundation/http/refusal.ts'
import { heldAtBank } from '../payments/held-at-bank.ts'
import { NotPlacedAgain } from '../payments/not-placed-again.ts'
import { type HeldPayment, isHeld, isOpenForSigning, type Payment } from '../payments/payment.ts'
import type { Approvable } from './require-approvable.ts'

/** Those of the payments that are to be signed, as the bank holds them now, in their order. Throws 422 at one that cannot be. */
export async function requireHeldAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  { payments, signedByNobody, pathOf }: Approvable,
): Promise<readonly HeldPayment[]> {
  const held = await Promise.allSettled(
    payments.map(async (payment) =>
      signedByNobody.has(payment.id) ? null : await heldAtBank(context, caller, bank, payment),
    ),
  )
  return held.flatMap((outcome, n) => {
    const path = pathOf(payments[n]?.id ?? '')
    if (outcome.status === 'rejected') {
      throw outcome.reason instanceof NotPlacedAgain ? notApprovable(outcome.reason.message, path) : outcome.reason
    }
    return outcome.value === null ? [] : [requireOpen(outcome.value, path)]
  })
}

function requireOpen(payment: Payment, path: string): HeldPayment {
  if (!isOpenForSigning(payment) || !isHeld(payment)) {
    throw notApprovable(`cannot be signed: it is ${payment.status}`, path)
  }
  return payment
}

function notApprovable(reason: string, path: string): Invalid {
  return new Invalid([{ code: 'InvalidRequest', reason, path }])
}
