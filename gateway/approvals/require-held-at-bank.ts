/** Makes sure that the bank holds what is about to be signed; orders that it let lapse are placed again. */
import type { Bank } from '../banks/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { Invalid } from '../foundation/http/refusal.ts'
import { heldAtBank } from '../payments/held-at-bank.ts'
import { NotPlacedAgain } from '../payments/not-placed-again.ts'
import { type HeldPayment, isHeld, isOpenForSigning, type Payment } from '../payments/payment.ts'
import type { Approvable } from './require-approvable.ts'

/** Those of the payments that are to be signed, as the bank holds them now, in their order. Throws 422 at `.payments[n]`. */
export async function requireHeldAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  { payments, signedByNobody }: Approvable,
): Promise<readonly HeldPayment[]> {
  const held = await Promise.allSettled(
    payments.map(async (payment) =>
      signedByNobody.has(payment.id) ? null : await heldAtBank(context, caller, bank, payment),
    ),
  )
  return held.flatMap((outcome, n) => {
    if (outcome.status === 'rejected') {
      throw outcome.reason instanceof NotPlacedAgain ? notApprovable(outcome.reason.message, n) : outcome.reason
    }
    return outcome.value === null ? [] : [requireOpen(outcome.value, n)]
  })
}

function requireOpen(payment: Payment, n: number): HeldPayment {
  if (!isOpenForSigning(payment) || !isHeld(payment)) {
    throw notApprovable(`cannot be signed: it is ${payment.status}`, n)
  }
  return payment
}

function notApprovable(reason: string, n: number): Invalid {
  return new Invalid([{ code: 'InvalidRequest', reason, path: `.payments[${n}]` }])
}
