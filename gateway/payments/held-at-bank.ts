/** Makes sure, before a payment is signed, that its bank holds it: one that lapsed for certain is placed again. */

import { BankRefusal, isGone } from '../banks/connector/bank-error.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { type HeldPayment, isHeld, type Payment, permits } from '../orders/payment.ts'
import { recordStatus } from '../orders/status/record-payment-status.ts'
import { printTimestamp } from '../platform/format-timestamp.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { atBank } from './follow-payment.ts'
import { NotPlacedAgain } from './not-placed-again.ts'
import { type Lapse, noteLapsed } from './note-lapsed.ts'
import { placeAgain } from './place-again.ts'

/** An order read within this time is taken to be where it was. */
const READ_WITHIN_SECONDS = 60

/** The payment as its bank holds it now. Throws as `placeAgain` does, and `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while a lapse is not proven. */
export async function heldAtBank(
  context: Context,
  caller: ConsentCaller,
  bank: Bank,
  payment: HeldPayment,
): Promise<Payment> {
  const read = permits(payment, 'place-again') ? await readUnlessFresh(context, payment) : payment
  return 'provenAt' in read ? await replace(context, caller, bank, read) : read
}

async function replace(context: Context, caller: ConsentCaller, bank: Bank, lapse: Lapse): Promise<Payment> {
  if (lapse.payment.withdrawnAt !== null) {
    throw new NotPlacedAgain('was withdrawn, and its bank does not hold it any more')
  }
  if (!lapse.isProven) {
    throw notYetProven(context, lapse)
  }
  const { payment } = lapse
  return isHeld(payment) ? await placeAgain(context, caller, bank, payment) : payment
}

/** A lapsed order is always asked after once more: one that came back must not be paid twice. */
async function readUnlessFresh(context: Context, payment: HeldPayment): Promise<Payment | Lapse> {
  const ageSeconds = context.clock.now().since(payment.statusAt).total('seconds')
  if (payment.lapsedAt === null && payment.withdrawnAt === null && ageSeconds < READ_WITHIN_SECONDS) {
    return payment
  }
  try {
    const { payments, caller } = await atBank(context, payment)
    return await recordStatus(context, payment, await payments.read(caller, payment, { signed: payment.signed }))
  } catch (error) {
    if (isGone(error)) {
      return await noteLapsed(context, payment, error)
    }
    if (error instanceof BankRefusal && payment.lapsedAt === null) {
      return payment
    }
    throw error
  }
}

function notYetProven({ clock }: Context, { provenAt }: Lapse): Error {
  const retryAfterSeconds = Math.max(1, Math.ceil(provenAt.since(clock.now()).total('seconds')))
  const message =
    'The bank says that it does not hold the order any more, which may be a slip; nothing was done. ' +
    `If it says the same after ${printTimestamp(provenAt)}, an approval has the order placed again`
  return refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message, { retryAfterSeconds })
}
