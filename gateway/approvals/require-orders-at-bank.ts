/** Ensures that the bank has the orders that are about to be signed; expired orders are resubmitted. */
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { type AcknowledgedPayment, isAcknowledged, isOpenForSigning, type Payment } from '../orders/payment.ts'
import { ensureOrderAtBank } from '../orders/submission/ensure-order-at-bank.ts'
import { ResubmissionError } from '../orders/submission/resubmission-error.ts'
import { InvalidRequestError } from '../platform/http/errors/api-error.ts'
import { mapWithConcurrency } from '../platform/map-with-concurrency.ts'
import type { Approvable } from './require-approvable.ts'

/** Leaves capacity of the bank's rate limit for other waiting users. */
const ORDERS_AT_ONCE = 8

/** Returns the payments that are to be signed, in request order. Throws 422 at one that cannot be signed. */
export async function requireOrdersAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  { payments, scaExemptIds, pathOf }: Approvable,
): Promise<readonly AcknowledgedPayment[]> {
  const toSign = payments.filter(({ id }) => !scaExemptIds.has(id))
  const acknowledged = await mapWithConcurrency(toSign, ORDERS_AT_ONCE, async (payment) => {
    try {
      return await ensureOrderAtBank(context, caller, bank, payment)
    } catch (error) {
      throw error instanceof ResubmissionError ? notApprovable(error.message, pathOf(payment.id)) : error
    }
  })
  return acknowledged.map((payment) => requireOpen(payment, pathOf(payment.id)))
}

function requireOpen(payment: Payment, path: string): AcknowledgedPayment {
  if (!isOpenForSigning(payment) || !isAcknowledged(payment)) {
    throw notApprovable(`cannot be signed: it is ${payment.status}`, path)
  }
  return payment
}

function notApprovable(reason: string, path: string): InvalidRequestError {
  return new InvalidRequestError([{ code: 'InvalidRequest', reason, path }])
}
