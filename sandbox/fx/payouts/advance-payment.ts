/** Advances a payment: sent when it is due and funded, completed soon after, unless its outcome is scripted. */

import { findRow, updateRow } from '../../rows.ts'
import { balanceOf, changeBalance } from '../books/balance-store.ts'
import type { Context } from '../context.ts'
import { closeIfPaidOut } from '../conversions/advance-conversion.ts'
import { ZONE } from '../market/dealing-calendar.ts'
import { enqueueNotification } from '../notifications.ts'
import type { Payment, PaymentOutcome } from '../tables.ts'
import { paymentResponse } from './payment-response.ts'

/** Between two steps of a payment. */
const SECONDS_IN_FLIGHT = 30
/** Until the beneficiary's bank returns a payment. */
const MINUTES_TO_RETURN = 60
export const RETURN_REASON = 'Returned by the beneficiary bank: account closed'
const FAILURE_REASON = 'Rejected by the payment scheme'

/** When a payment may be sent: on its payment date, or now. */
export function dueAtOf(paymentOn: Temporal.PlainDate, at: Temporal.Instant): Temporal.Instant {
  const start = paymentOn.toZonedDateTime(ZONE).toInstant()
  return Temporal.Instant.compare(start, at) > 0 ? start : at
}

/** Executes the step of a payment that is due at an instant. */
export async function advancePayment(context: Context, id: string, at: Temporal.Instant): Promise<void> {
  const payment = await findRow(context, 'payments', { id }, { lock: true })
  switch (payment?.status) {
    case 'ready_to_send':
      return await send(context, payment, at)
    case 'submitted':
      return await complete(context, payment, at)
    case 'completed':
      return await fail(context, payment, { reason: RETURN_REASON, at })
    default:
      return undefined
  }
}

async function send(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  const due_at = dueAtOf(payment.payment_on, at)
  if (Temporal.Instant.compare(due_at, at) > 0) {
    await updateRow(context, 'payments', payment, { due_at })
    return
  }
  if (!(await hasMoney(context, payment))) {
    await updateRow(context, 'payments', payment, { due_at: null })
    return
  }
  const outcome = payment.outcome ?? scriptedOutcome(context)
  if (outcome === 'suspended') {
    await updateRow(context, 'payments', payment, { status: 'suspended', outcome: null, due_at: null, updated_at: at })
    return
  }
  await moveMoney(context, payment, { minor: -payment.amount_minor, action: 'payment', at })
  const submitted = await updateRow(context, 'payments', payment, {
    status: 'submitted',
    outcome,
    transferred_at: at,
    updated_at: at,
    due_at: at.add({ seconds: SECONDS_IN_FLIGHT }),
  })
  if (outcome === 'failed') {
    await fail(context, submitted, { reason: FAILURE_REASON, at })
  }
}

async function complete(context: Context, payment: Payment, at: Temporal.Instant): Promise<void> {
  const isReturned = payment.outcome === 'returned'
  const completed = await updateRow(context, 'payments', payment, {
    status: 'completed',
    updated_at: at,
    due_at: isReturned ? at.add({ minutes: MINUTES_TO_RETURN }) : null,
  })
  await enqueueNotification(context, { type: 'payment/payment_released', body: paymentResponse(completed), at })
  if (payment.conversion_id !== null) {
    await closeIfPaidOut(context, payment.conversion_id, at)
  }
}

/** Fails a payment that was sent: the amount, less bank charges, is credited to the balance again. */
export async function fail(
  context: Context,
  payment: Payment,
  { reason, kept = 0n, at }: { readonly reason: string; readonly kept?: bigint; readonly at: Temporal.Instant },
): Promise<void> {
  const returned = payment.amount_minor > kept ? payment.amount_minor - kept : 0n
  const failed = await updateRow(context, 'payments', payment, {
    status: 'failed',
    failure_reason: reason,
    returned_minor: returned,
    updated_at: at,
    due_at: null,
  })
  await moveMoney(context, payment, { minor: returned, action: 'payment_failure', at })
  await enqueueNotification(context, { type: 'payment/payment_failed', body: paymentResponse(failed), at })
}

async function moveMoney(
  context: Context,
  { id, short_reference, currency }: Payment,
  move: { readonly minor: bigint; readonly action: 'payment' | 'payment_failure'; readonly at: Temporal.Instant },
): Promise<void> {
  await changeBalance(context, { ...move, currency, entity: { type: 'payment', id, reference: short_reference } })
}

/** Paid out of a conversion: once that has settled, never when it was cancelled. Otherwise: when the balance is sufficient. */
async function hasMoney(context: Context, { conversion_id, currency, amount_minor }: Payment): Promise<boolean> {
  if (conversion_id === null) {
    return (await balanceOf(context, currency)) >= amount_minor
  }
  const conversion = await findRow(context, 'conversions', { id: conversion_id })
  const hasSettled = conversion?.status === 'trade_settled' || conversion?.status === 'closed'
  return hasSettled && conversion.loss_minor === null
}

function scriptedOutcome({ faults }: Context): PaymentOutcome | null {
  for (const outcome of ['suspended', 'failed', 'returned'] as const) {
    if (faults.take(`payment-${outcome}`) !== undefined) {
      return outcome
    }
  }
  return null
}
