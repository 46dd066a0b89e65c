/** Starts an authorisation that a third party requests explicitly, if its target is still open. */

import { basketPath } from '../baskets/basket.ts'
import { isPaymentInBasket, updateBasket } from '../baskets/basket-store.ts'
import { updateConsent } from '../consents/consent-store.ts'
import type { BankTransaction, Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { cancellationNeedsSca } from '../payments/cancel-payment.ts'
import { updatePayment } from '../payments/payment-store.ts'
import { paymentPath } from '../payments/store-order.ts'
import { requireKnownUser } from '../require-known-user.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import type { ScaSubject } from './authorisation.ts'
import { isTargetOpen } from './decide-authorisation.ts'
import { type LockedTarget, lockScaTarget, signedBy } from './lock-sca-target.ts'
import { type ScaTarget, type StartedAuthorisation, startAuthorisation } from './start-authorisation.ts'

/** Starts it, and returns the notifications of the authorisations that it replaces. */
export async function startExplicitAuthorisation(
  context: Context,
  call: Xs2aCall,
  subject: ScaSubject,
  found: ScaTarget,
): Promise<StartedAuthorisation> {
  const { bank, headers } = call
  if (headers.psuId !== null) {
    requireKnownUser(context, bank, headers.psuId, headers.psuCorporateId)
  }
  const started = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockScaTarget(transaction, subject, found.id)
    if (locked === undefined) {
      throw xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank no longer holds this')
    }
    requireOpen(bank, locked)
    if (locked.subject === 'payment' && (await isPaymentInBasket(transaction, locked.target))) {
      throw xs2aError(400, 'RESOURCE_BLOCKED', 'The payment is signed with its basket')
    }
    requireSameUser(call, locked)
    await requireNewSigner(transaction, call, locked)
    await storeNotificationTarget(context, transaction, call, locked)
    const listener =
      headers.notificationUri === null || !bank.notifies
        ? {}
        : { notification_uri: headers.notificationUri, notification_content: headers.notificationContent }
    const requested = { bank, subject, headers, targetPath: targetPathOf(locked) }
    return await startAuthorisation(context, transaction, requested, { ...locked.target, ...listener })
  })
  context.push.send(started.notifications)
  return started
}

function targetPathOf(locked: LockedTarget): string {
  switch (locked.subject) {
    case 'consent':
      return `/consents/${locked.target.id}`
    case 'basket':
      return basketPath(locked.target)
    default:
      return paymentPath(locked.target)
  }
}

function requireOpen(bank: BankProfile, locked: LockedTarget): void {
  if (locked.subject === 'cancellation' && !cancellationNeedsSca(bank)) {
    throw xs2aError(405, 'SERVICE_INVALID', 'This bank requires no signature for cancellations')
  }
  if (locked.subject === 'payment' && locked.target.lapsed) {
    throw xs2aError(403, 'RESOURCE_EXPIRED', 'The payment was not signed in time')
  }
  if (!isTargetOpen(locked)) {
    throw xs2aError(409, 'STATUS_INVALID', `It is ${locked.target.status} and accepts no more authorisations`)
  }
}

/** A payment may be authorised by another user of the company; a consent only by the user it was requested for. */
function requireSameUser({ headers }: Xs2aCall, { subject, target }: LockedTarget): void {
  const isOther = headers.psuId !== null && target.psu_id !== null && headers.psuId !== target.psu_id
  if (subject === 'consent' && isOther) {
    throw xs2aError(400, 'PARAMETER_NOT_CONSISTENT', 'The consent was requested for another user', 'PSU-ID')
  }
}

/** Where several signatures are required, each user authorises once. */
async function requireNewSigner(
  transaction: BankTransaction,
  { headers }: Xs2aCall,
  locked: LockedTarget,
): Promise<void> {
  if (headers.psuId !== null && (await signedBy(transaction, locked)).has(headers.psuId)) {
    throw xs2aError(409, 'STATUS_INVALID', 'This user has signed it already; another user has to sign', 'PSU-ID')
  }
}

/** A notification URL given here replaces the one given at creation. */
async function storeNotificationTarget(
  context: Context,
  transaction: BankTransaction,
  { bank, headers }: Xs2aCall,
  locked: LockedTarget,
): Promise<void> {
  if (headers.notificationUri === null || !bank.notifies) {
    return
  }
  const change = { notification_uri: headers.notificationUri, notification_content: headers.notificationContent }
  if (locked.subject === 'consent') {
    await updateConsent(transaction, locked.target.id, change)
  } else if (locked.subject === 'basket') {
    await updateBasket(transaction, locked.target.id, change)
  } else {
    await updatePayment(transaction, locked.target, change, context.clock.now())
  }
}
