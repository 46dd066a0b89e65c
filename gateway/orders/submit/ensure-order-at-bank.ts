/** Ensures before the signature that the bank holds the order: a confirmed expired order is resubmitted. */

import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { isResourceGone } from '../../banks/connector/bank-error-classification.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
import { type AcknowledgedPayment, isAcknowledged, type Payment, permits } from '../payment.ts'
import { requireBankAccess } from '../status/poll-payment.ts'
import { type OrderExpiry, recordExpiry } from '../status/record-expiry.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { ResubmissionError } from './ensure-no-live-order.ts'
import { resubmitOrder } from './resubmit-order.ts'

/** An order polled within this time is assumed to exist. */
const READ_WITHIN_SECONDS = 60

/**
 * Returns the payment as the bank holds it. Throws like `resubmitOrder`, and `AUTHENTICATION_TEMPORARY_UNAVAILABLE`
 * while an expiry is not confirmed.
 */
export async function ensureOrderAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: AcknowledgedPayment,
): Promise<Payment> {
  const polledOrExpired = permits(payment, 'place-again') ? await pollUnlessFresh(context, payment) : payment
  return 'provenAt' in polledOrExpired ? await resubmitExpired(context, caller, bank, polledOrExpired) : polledOrExpired
}

async function resubmitExpired(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  expiry: OrderExpiry,
): Promise<Payment> {
  if (expiry.payment.cancellationAcceptedAt !== null) {
    throw new ResubmissionError('was cancelled, and its bank no longer holds it')
  }
  if (!expiry.isProven) {
    throw expiryUnconfirmedError(context, expiry)
  }
  const { payment } = expiry
  return isAcknowledged(payment) ? await resubmitOrder(context, caller, bank, payment) : payment
}

/** An expired order is always polled once more: one that reappeared must not be paid twice. */
async function pollUnlessFresh(context: Context, payment: AcknowledgedPayment): Promise<Payment | OrderExpiry> {
  const ageSeconds = context.clock.now().since(payment.statusAt).total('seconds')
  if (payment.expiredAt === null && payment.cancellationAcceptedAt === null && ageSeconds < READ_WITHIN_SECONDS) {
    return payment
  }
  try {
    const { payments, caller } = await requireBankAccess(context, payment)
    return await recordPaymentStatus(context, payment, await payments.read(caller, payment, { signed: payment.signed }))
  } catch (error) {
    if (isResourceGone(error)) {
      return await recordExpiry(context, payment, error)
    }
    if (error instanceof BankError && payment.expiredAt === null) {
      return payment
    }
    throw error
  }
}

function expiryUnconfirmedError({ clock }: Context, { provenAt }: OrderExpiry): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(provenAt.since(clock.now()).total('seconds')))
  const message =
    'The bank reports that it no longer holds the order, which may be an error; nothing was changed. ' +
    `If it still reports this after ${formatTimestamp(provenAt)}, an approval resubmits the order`
  return apiError('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds })
}
