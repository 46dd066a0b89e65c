/** Finds out which of the first steps a partner has done, and on which resources the next ones act. */
import { hasUsedClient } from '../../../gateway/auth/list-partners.ts'
import { findNewestConsents } from '../../../gateway/consents/consent-rows.ts'
import type { Context } from '../../../gateway/context.ts'
import { findPaymentUse } from '../../../gateway/orders/views/order-figures.ts'
import { findWebhookUse } from '../../../gateway/webhooks/delivery-figures.ts'

/** What a developer does first, in this order. */
export const FIRST_STEPS = ['token', 'consent', 'accepted', 'subscription', 'payment', 'signed', 'delivered'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

export type FirstStepsState = {
  readonly done: Readonly<Record<FirstStep, boolean>>
  /** The newest consent that its user has not decided on, the newest accepted one, and the newest unsigned payment. */
  readonly requestedConsent: string | null
  readonly acceptedConsent: string | null
  readonly unsignedPayment: string | null
}

/** Among so many of the newest ones. */
const NEWEST = 200

export async function findFirstSteps(context: Context, partnerId: string): Promise<FirstStepsState> {
  const { database } = context
  const [token, consents, payments, webhooks] = await Promise.all([
    hasUsedClient(context, partnerId),
    findNewestConsents(database, partnerId, NEWEST),
    findPaymentUse(database, partnerId, NEWEST),
    findWebhookUse(database, partnerId, NEWEST),
  ])
  const done = {
    token,
    consent: consents.exists,
    accepted: consents.accepted !== null,
    subscription: webhooks.isSubscribed,
    payment: payments.isOrdered,
    signed: payments.isSigned,
    delivered: webhooks.isDelivered,
  }
  const { requested: requestedConsent, accepted: acceptedConsent } = consents
  return { done, requestedConsent, acceptedConsent, unsignedPayment: payments.unsigned }
}
