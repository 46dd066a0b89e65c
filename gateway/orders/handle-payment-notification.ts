/** Handles a bank's inbound notification about a payment: it triggers one poll, and its contents are not trusted. */
import { BankError } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { NOTIFICATION_INTERVAL } from '../platform/http/notification-endpoint.ts'
import { hashToken, isId } from '../platform/ids.ts'
import { isOutcomeUnknown } from './payment.ts'
import { type NotificationTimes, recordNotification } from './store/payment-status-store.ts'
import { findPayment, type PaymentKey } from './store/payment-store.ts'
import { settleByBankOrder } from './submit/settle-unknown-outcome.ts'

/** The parameters in the path of a notification. */
export type NotificationPath = { readonly partnerId: string; readonly paymentId: string; readonly token: string }

/**
 * Does not reveal whether the notification is valid. A payment with an unknown outcome may be found by the bank's id.
 */
export async function handlePaymentNotification(
  context: Context,
  path: NotificationPath,
  body: unknown,
): Promise<void> {
  if (!isId(path.partnerId) || !isId(path.paymentId)) {
    return
  }
  const key = { partnerId: path.partnerId, id: path.paymentId }
  const isAccepted = await recordNotification(
    context.database,
    { ...key, notificationTokenHash: hashToken(path.token) },
    notificationTimes(context),
  )
  const payment = isAccepted ? await findPayment(context.database, key) : undefined
  const bankPaymentId = paymentIdIn(body)
  if (payment === undefined || bankPaymentId === undefined || !isOutcomeUnknown(payment)) {
    return
  }
  try {
    await settleByBankOrder(context, payment, bankPaymentId)
  } catch (error) {
    const rejection = error instanceof BankError ? error.kind : String(error)
    context.log.warn(
      { paymentId: payment.id, rejection },
      'a notification about a payment with an unknown outcome could not be verified',
    )
  }
}

/** Polls an order because the bank has notified a URI that was given with one of the order's authorisations. */
export async function pollOnNotification(context: Context, key: PaymentKey): Promise<void> {
  await recordNotification(context.database, { ...key, notificationTokenHash: null }, notificationTimes(context))
}

function notificationTimes({ clock }: Context): NotificationTimes {
  return { now: clock.now(), real: clock.real(), quietSeconds: NOTIFICATION_INTERVAL.seconds }
}

/** The standard's own example spells the field `payment-ID`. */
function paymentIdIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) {
    return undefined
  }
  const [, id] = Object.entries(body).find(([name]) => /^payment-?id$/i.test(name)) ?? []
  return typeof id === 'string' && id.length <= 128 ? id : undefined
}
