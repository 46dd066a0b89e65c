/** Finds out what became of a cancellation that its bank did not answer, and asks again where nothing did. */
import { liveSigningsOf } from '../approvals/supersede.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { type HeldPayment, isHeld, permits } from '../orders/payment.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { Refusal, refuse } from '../platform/http/errors/api-error.ts'
import { retryAt } from '../platform/jobs/retry-backoff.ts'
import { type Cancellation, type Word, wasOvertaken } from './cancellation.ts'
import { postponeCancellation } from './cancellation-store.ts'
import { carryOut } from './carry-out.ts'
import { endCancellation, paymentOf } from './end-cancellation.ts'

/** The user who asked does not wait longer: whoever still wishes it asks again. */
const GIVE_UP_AFTER = { minutes: 15 }
/** A bank may need that long for a thousand orders; what is not withdrawn of a payroll may be paid. */
const GIVE_UP_WHOLE_AFTER = { hours: 2 }
const BETWEEN = { leastSeconds: 10, mostSeconds: 60 }

/**
 * The status is read first. An order that waits as it did then is withdrawn as its user wished; one that was signed since
 * is left alone, because that is the newer wish.
 */
export async function recoverCancellation(context: Context, cancellation: Cancellation): Promise<void> {
  const payment = await followPayment(context, await paymentOf(context, cancellation))
  const giveUpAfter = isPartOfWhole(cancellation) ? GIVE_UP_WHOLE_AFTER : GIVE_UP_AFTER
  const isLate = Temporal.Instant.compare(context.clock.real(), cancellation.askedAt.add(giveUpAfter)) > 0
  const reason = !permits(payment, 'cancel')
    ? `The payment was ${payment.status} before the bank took the cancellation`
    : wasOvertaken(cancellation, payment)
      ? 'The payment was signed after the bank was asked'
      : isLate
        ? 'The bank did not say whether it cancels the payment, whose status tells'
        : undefined
  if (reason !== undefined || !isHeld(payment)) {
    await endCancellation(context, cancellation, { yes: false, reason: reason ?? 'The bank holds no such payment' })
  } else {
    await askAgain(context, cancellation, payment)
  }
}

const NOBODY_TO_SIGN: Word = {
  yes: false,
  reason: 'The bank wants the cancellation signed; ask for it again while the user is there',
}

async function askAgain(context: Context, cancellation: Cancellation, payment: HeldPayment): Promise<void> {
  const consent = await consentOf(context, cancellation)
  try {
    if (consent === undefined) {
      throw new Error(`The consent of cancellation ${cancellation.id} is not there`)
    }
    await carryOut(context, cancellation, payment, {
      consent,
      psu: null,
      isRepeated: true,
      clearWay: () => requireUnsigned(context, payment),
      haveSigned: async () => NOBODY_TO_SIGN,
    })
  } catch (error) {
    await takeRefusal(context, cancellation, error)
  }
}

/** Whoever began to sign it since wishes otherwise by now. */
async function requireUnsigned(context: Context, payment: HeldPayment): Promise<void> {
  if ((await liveSigningsOf(context, payment.partnerId, [payment])).length > 0) {
    throw refuse('conflict', 'A user began to sign the payment after the bank was asked')
  }
}

/**
 * A bank that cannot be reached now is asked again. Of a payroll whoever stands in the way is waited for as well: nobody
 * begins to sign it while it is being cancelled, and it is not to be cancelled by halves. Whatever else there is ends it.
 */
async function takeRefusal(context: Context, cancellation: Cancellation, error: unknown): Promise<void> {
  if (error instanceof BankRefusal && error.kind !== 'unavailable') {
    await endCancellation(context, cancellation, { yes: false, reason: error.message })
  } else if (error instanceof Refusal && !isPartOfWhole(cancellation)) {
    await endCancellation(context, cancellation, { yes: false, reason: error.message })
  } else if (error instanceof BankRefusal || error instanceof Refusal) {
    const real = context.clock.real()
    await postponeCancellation(context.database, cancellation, retryAt(cancellation.askedAt, real, BETWEEN))
  } else {
    throw error
  }
}

function isPartOfWhole({ payrollCancellationId }: Cancellation): boolean {
  return payrollCancellationId !== null
}
