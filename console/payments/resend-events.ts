/** Sends the events of a payment to the partner again. */

import type { Context } from '../../gateway/context.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import { PAYMENT_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { replayEventsOfPayment } from '../../gateway/webhooks/events/replay-events.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { buttonForm } from '../markup/action-form.ts'
import type { ActionOutcome } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'

export function resendForm({ id }: PartnerPayment, { token }: Viewer): string {
  return buttonForm({
    path: `/console/payments/${id}/resend-events`,
    token,
    label: consoleText('resend.resend'),
    isBlock: true,
  })
}

/** Events whose delivery still waits are left out, so that a second click sends nothing twice. */
export async function resendEvents(
  context: Context,
  { viewer, params: { paymentId = '' } }: ConsoleRequest,
): Promise<ActionOutcome> {
  const key = await requireVisible(context, viewer, PAYMENT_ROWS, paymentId)
  const { events, deliveries: count } = await replayEventsOfPayment(context, actorOf(viewer.session), key)
  if (count > 0) {
    await notifyDue(context.database)
    return { status: 200, message: consoleText('resend.queued', { count }) }
  }
  const message = events === 0 ? consoleText('resend.noEvents') : consoleText('resend.noneToSend')
  return { status: 409, message }
}
