/** Carries a payment on: sent when its day and its money have come, and soon at its receiver, unless something else was scripted. */

import { closeIfPaidOut } from '../conversions/advance-conversion.ts'
import { findConversion } from '../conversions/conversion-store.ts'
import { balanceOf, changeBalance } from '../funds/balance-store.ts'
import { ZONE } from '../market/dealing-calendar.ts'
import { keepNotice } from '../notifications/enqueue-notification.ts'
import type { Books, ProviderContext } from '../provider-context.ts'
import type { PaymentOutcome } from '../tables.ts'
import { showPayment } from './payment-response.ts'
import { lockPayment, type Payment, updatePayment } from './payment-store.ts'

/** From one station to the next. */
const SECONDS_UNDER_WAY = 30
/** A receiver's bank sends money back after some time. */
const MINUTES_TO_RETURN = 60
export const RETURN_REASON = 'Returned by the beneficiary bank: account closed'
const FAILURE_REASON = 'Rejected by the payment scheme'

/** When a payment may leave: on its day, or now. */
export function dueAtOf(paymentOn: Temporal.PlainDate | string, at: Temporal.Instant): Temporal.Instant {
  const start = Temporal.PlainDate.from(paymentOn).toZonedDateTime(ZONE).toInstant()
  return Temporal.Instant.compare(start, at) > 0 ? start : at
}

/** Does what is due of a payment at an instant. */
export async function advancePayment(
  context: ProviderContext,
  books: Books,
  id: string,
  at: Temporal.Instant,
): Promise<void> {
  const payment = await lockPayment(books, id)
  switch (payment?.status) {
    case 'ready_to_send':
      return await send(context, books, payment, at)
    case 'submitted':
      return await complete(books, payment, at)
    case 'completed':
      return await fail(books, payment, { reason: RETURN_REASON, at })
    default:
      return undefined
  }
}

async function send(context: ProviderContext, books: Books, payment: Payment, at: Temporal.Instant): Promise<void> {
  if (Temporal.Instant.compare(dueAtOf(payment.payment_on, at), at) > 0) {
    const due_at = dueAtOf(payment.payment_on, at).toString()
    await updatePayment(books, payment, { due_at })
    return
  }
  if (!(await hasMoney(books, payment))) {
    await updatePayment(books, payment, { due_at: null })
    return
  }
  const outcome = payment.outcome ?? scriptedOutcome(context)
  if (outcome === 'suspended') {
    await updatePayment(books, payment, { status: 'suspended', outcome: null, due_at: null, updated_at: at.toString() })
    return
  }
  await moveMoney(books, payment, { minor: -payment.amount_minor, action: 'payment', at })
  const submitted = await updatePayment(books, payment, {
    status: 'submitted',
    outcome,
    transferred_at: at.toString(),
    updated_at: at.toString(),
    due_at: at.add({ seconds: SECONDS_UNDER_WAY }).toString(),
  })
  if (outcome === 'failed') {
    await fail(books, submitted, { reason: FAILURE_REASON, at })
  }
}

async function complete(books: Books, payment: Payment, at: Temporal.Instant): Promise<void> {
  const isReturned = payment.outcome === 'returned'
  const completed = await updatePayment(books, payment, {
    status: 'completed',
    updated_at: at.toString(),
    due_at: isReturned ? at.add({ minutes: MINUTES_TO_RETURN }).toString() : null,
  })
  await keepNotice(books, { type: 'payment/payment_released', body: showPayment(completed), at })
  if (payment.conversion_id !== null) {
    await closeIfPaidOut(books, payment.conversion_id, at)
  }
}

/** Ends a payment that had left: the money, less what banks kept of it, is on the balance again. */
export async function fail(
  books: Books,
  payment: Payment,
  { reason, kept = 0n, at }: { readonly reason: string; readonly kept?: bigint; readonly at: Temporal.Instant },
): Promise<void> {
  const returned = payment.amount_minor > kept ? payment.amount_minor - kept : 0n
  const failed = await updatePayment(books, payment, {
    status: 'failed',
    failure_reason: reason,
    returned_minor: returned,
    updated_at: at.toString(),
    due_at: null,
  })
  await moveMoney(books, payment, { minor: returned, action: 'payment_failure', at })
  await keepNotice(books, { type: 'payment/payment_failed', body: showPayment(failed), at })
}

async function moveMoney(
  books: Books,
  { id, short_reference, currency }: Payment,
  move: { readonly minor: bigint; readonly action: 'payment' | 'payment_failure'; readonly at: Temporal.Instant },
): Promise<void> {
  await changeBalance(books, { ...move, currency, entity: { type: 'payment', id, reference: short_reference } })
}

/** Out of a conversion: once that has settled. Otherwise out of the balance. */
async function hasMoney(books: Books, { conversion_id, currency, amount_minor }: Payment): Promise<boolean> {
  if (conversion_id === null) {
    return (await balanceOf(books, currency)) >= amount_minor
  }
  const conversion = await findConversion(books, conversion_id)
  return conversion?.status === 'trade_settled' || conversion?.status === 'closed'
}

function scriptedOutcome({ faults }: ProviderContext): PaymentOutcome | null {
  for (const outcome of ['suspended', 'failed', 'returned'] as const) {
    if (faults.take(`payment-${outcome}`) !== undefined) {
      return outcome
    }
  }
  return null
}
