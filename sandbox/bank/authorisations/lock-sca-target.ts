/** Finds and locks what an authorisation is about. The target is always locked before the authorisation. */

import type { BankTransaction } from '../bank-context.ts'
import type { Basket } from '../baskets/basket.ts'
import { lockBasket, lockPaymentsIn } from '../baskets/basket-store.ts'
import type { Consent } from '../consents/consent.ts'
import { lockConsent } from '../consents/consent-store.ts'
import { maySign, type Payment } from '../payments/payment.ts'
import { lockPayment } from '../payments/payment-store.ts'
import { signerIdsOf } from '../payments/signers.ts'
import type { Authorisation, ScaSubject } from './authorisation.ts'
import { lockAuthorisation } from './authorisation-store.ts'

/** What is signed, locked until the transaction ends; of a basket its payments too. */
export type LockedTarget =
  | { readonly subject: 'payment' | 'cancellation'; readonly target: Payment }
  | { readonly subject: 'consent'; readonly target: Consent }
  | { readonly subject: 'basket'; readonly target: Basket; readonly payments: readonly Payment[] }

/** An authorisation and its target, both locked until the transaction ends, and who has signed all of it already. */
export type LockedAuthorisation = LockedTarget & {
  readonly authorisation: Authorisation
  readonly signedBy: ReadonlySet<string | null>
}

/** Locks a target; undefined when it is gone. */
export async function lockTarget(
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

/** Locks target and authorisation; undefined when either is gone. */
export async function lockWithTarget(
  transaction: BankTransaction,
  found: Pick<Authorisation, 'id' | 'subject' | 'resource_id'>,
): Promise<LockedAuthorisation | undefined> {
  const locked = await lockTarget(transaction, found.subject, found.resource_id)
  const authorisation = await lockAuthorisation(transaction, found.id)
  return locked && authorisation && { ...locked, authorisation, signedBy: await signedBy(transaction, locked) }
}

/** The people who have signed everything in a target that still waits for signatures; nobody where one is enough. */
export async function signedBy(
  transaction: BankTransaction,
  locked: LockedTarget,
): Promise<ReadonlySet<string | null>> {
  if (locked.subject === 'consent' || locked.subject === 'cancellation') {
    return new Set()
  }
  const open = locked.subject === 'basket' ? locked.payments.filter(maySign) : [locked.target]
  // Nobody has signed what is not partly signed.
  const [first, ...others] = open.some(({ status }) => status !== 'PATC') ? [] : open
  let signers = first === undefined ? new Set<string | null>() : await signerIdsOf(transaction, first)
  for (const payment of others) {
    signers = signers.intersection(await signerIdsOf(transaction, payment))
  }
  return signers
}
