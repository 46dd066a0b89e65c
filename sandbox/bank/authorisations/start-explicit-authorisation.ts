/** Begins an authorisation that a third party asks for in a call of its own, if its target is still open for one. */

import type { BankContext, BankTransaction } from '../bank-context.ts'
import { basketPath } from '../baskets/basket.ts'
import { isTied, updateBasket } from '../baskets/basket-store.ts'
import { updateConsent } from '../consents/consent-store.ts'
import type { BankProfile } from '../fixture.ts'
import { requireKnownUser } from '../known-user.ts'
import { cancelsBySigning } from '../payments/cancel-payment.ts'
import { changePayment } from '../payments/payment-store.ts'
import { paymentPath } from '../payments/store-order.ts'
import { refuse } from '../refusal.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import type { ScaSubject } from './authorisation.ts'
import { isOpen } from './decide-authorisation.ts'
import { type LockedTarget, lockTarget, signedBy } from './lock-sca-target.ts'
import { type ScaTarget, type StartedAuthorisation, startAuthorisation } from './start-authorisation.ts'

/** Begins it, and tells of older ones that it ends. */
export async function beginAuthorisation(
  context: BankContext,
  call: Xs2aCall,
  subject: ScaSubject,
  found: ScaTarget,
): Promise<StartedAuthorisation> {
  const { bank, headers } = call
  if (headers.psuId !== null) {
    requireKnownUser(context, bank, headers.psuId, headers.psuCorporateId)
  }
  const started = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockTarget(transaction, subject, found.id)
    if (locked === undefined) {
      throw refuse(403, 'RESOURCE_UNKNOWN', 'The bank no longer holds this')
    }
    requireOpen(bank, locked)
    if (locked.subject === 'payment' && (await isTied(transaction, locked.target))) {
      throw refuse(400, 'RESOURCE_BLOCKED', 'The payment is signed with its basket')
    }
    requireSameUser(call, locked)
    await requireNewSigner(transaction, call, locked)
    await keepListener(context, transaction, call, locked)
    const listener =
      headers.notificationUri === null || !bank.notifies
        ? {}
        : { notification_uri: headers.notificationUri, notification_content: headers.notificationContent }
    const asked = { bank, subject, headers, targetPath: pathOf(locked) }
    return await startAuthorisation(context, transaction, asked, { ...locked.target, ...listener })
  })
  context.push.send(started.notices)
  return started
}

function pathOf(locked: LockedTarget): string {
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
  if (locked.subject === 'cancellation' && !cancelsBySigning(bank)) {
    throw refuse(405, 'SERVICE_INVALID', 'At this bank nobody signs that a payment is cancelled')
  }
  if (locked.subject === 'payment' && locked.target.lapsed) {
    throw refuse(403, 'RESOURCE_EXPIRED', 'Nobody signed the payment in time')
  }
  if (!isOpen(locked)) {
    throw refuse(409, 'STATUS_INVALID', `It is ${locked.target.status} and takes no more authorisations`)
  }
}

/** A payment may be signed by another person of the company; access to accounts only by the one it was asked for. */
function requireSameUser({ headers }: Xs2aCall, { subject, target }: LockedTarget): void {
  const isOther = headers.psuId !== null && target.psu_id !== null && headers.psuId !== target.psu_id
  if (subject === 'consent' && isOther) {
    throw refuse(400, 'PARAMETER_NOT_CONSISTENT', 'The consent was asked for another user', 'PSU-ID')
  }
}

/** What needs several people is signed by each of them once. */
async function requireNewSigner(
  transaction: BankTransaction,
  { headers }: Xs2aCall,
  locked: LockedTarget,
): Promise<void> {
  if (headers.psuId !== null && (await signedBy(transaction, locked)).has(headers.psuId)) {
    throw refuse(409, 'STATUS_INVALID', 'This user has signed it already; it waits for somebody else', 'PSU-ID')
  }
}

/** A notification address given now takes the place of the one given at creation. */
async function keepListener(
  context: BankContext,
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
    await changePayment(transaction, locked.target, change, context.clock.now())
  }
}
