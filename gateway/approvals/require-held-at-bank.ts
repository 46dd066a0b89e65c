/** Makes sure that the bank holds what is about to be signed; orders that it let lapse are placed again. */
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { type HeldPayment, isHeld, isOpenForSigning, type Payment } from '../orders/payment.ts'
import { heldAtBank } from '../payments/held-at-bank.ts'
import { NotPlacedAgain } from '../payments/not-placed-again.ts'
import { Invalid } from '../platform/http/errors/api-error.ts'
import { fewAtATime } from '../platform/map-with-concurrency.ts'
import type { Approvable } from './require-approvable.ts'

/** As many at a time; the rest of a bank's places belongs to other users who wait. */
const ORDERS_AT_ONCE = 8

/** Those of the payments that are to be signed, as the bank holds them now, in their order. Throws 422 at one that cannot be. */
export async function requireHeldAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  { payments, signedByNobody, pathOf }: Approvable,
): Promise<readonly HeldPayment[]> {
  const toSign = payments.filter(({ id }) => !signedByNobody.has(id))
  const held = await fewAtATime(toSign, ORDERS_AT_ONCE, async (payment) => {
    try {
      return await heldAtBank(context, caller, bank, payment)
    } catch (error) {
      throw error instanceof NotPlacedAgain ? notApprovable(error.message, pathOf(payment.id)) : error
    }
  })
  return held.map((payment) => requireOpen(payment, pathOf(payment.id)))
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
