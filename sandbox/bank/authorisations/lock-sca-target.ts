/** Locks the target of an authorisation, always before the authorisation itself. */

import type { Basket } from '../baskets/basket.ts'
import { lockBasket, lockPaymentsIn } from '../baskets/basket-store.ts'
import type { Consent } from '../consents/consent.ts'
import { lockConsent } from '../consents/consent-store.ts'
import type { BankTransaction } from '../context.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { findSignerIds } from '../payments/require-right-to-pay.ts'
import type { Authorisation, ScaSubject } from './authorisation.ts'
import { lockAuthorisation } from './authorisation-store.ts'

/** The target, locked until the transaction ends; of a basket its payments too. */
export type LockedTarget =
  | { readonly subject: 'payment' | 'cancellation'; readonly target: Payment }
  | { readonly subject: 'consent'; readonly target: Consent }
  | { readonly subject: 'basket'; readonly target: Basket; readonly payments: readonly Payment[] }

/** An authorisation and its target, both locked until the transaction ends, and the users who authorised all of it. */
export type LockedAuthorisation = LockedTarget & {
  readonly authorisation: Authorisation
  readonly signedBy: ReadonlySet<string | null>
}

/** Locks a target; undefined when it was deleted. */
export async function lockScaTarget(
  transaction: BankTransaction,
  subject: ScaSubject,
  id: string,
): Promise<LockedTarget | undefined> {
  if (subject === 'consent') {
    const consent = await lockConsent(transaction, id)
    return consent && { subject, target: consent }
  }
  if (subject === 'basket') {
    const basket = await lockBasket(transaction, id)
    return basket && { subject, target: basket, payments: await lockPaymentsIn(transaction, id) }
  }
  const payment = await lockPayment(transaction, id)
  return payment && { subject, target: payment }
}

/** Locks target and authorisation; undefined when either was deleted. */
export async function lockAuthorisationWithTarget(
  transaction: BankTransaction,
  found: Pick<Authorisation, 'id' | 'subject' | 'resource_id'>,
): Promise<LockedAuthorisation | undefined> {
  const locked = await lockScaTarget(transaction, found.subject, found.resource_id)
  const authorisation = await lockAuthorisation(transaction, found.id)
  return locked && authorisation && { ...locked, authorisation, signedBy: await signedBy(transaction, locked) }
}

/** The users who have authorised everything in a target that needs further authorisations; none where one is enough. */
export async function signedBy(
  transaction: BankTransaction,
  locked: LockedTarget,
): Promise<ReadonlySet<string | null>> {
  if (locked.subject === 'consent' || locked.subject === 'cancellation') {
    return new Set()
  }
  const open = locked.subject === 'basket' ? locked.payments.filter(maySign) : [locked.target]
  // Only a partly authorised target has authorisations.
  const [first, ...others] = open.some(({ status }) => status !== 'PATC') ? [] : open
  let signers = first === undefined ? new Set<string | null>() : await findSignerIds(transaction, first)
  for (const payment of others) {
    signers = signers.intersection(await findSignerIds(transaction, payment))
  }
  return signers
}
