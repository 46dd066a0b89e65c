/** Signs and cancels payments in the bank's netbank, without the third party. */

import type { BankTransaction, Context } from '../context.ts'
import { accountOf, mayPay, userById } from '../fixture-lookup.ts'
import type { PushNotification } from '../push-notifications.ts'
import { setCancelled } from './cancel-payment.ts'
import { acceptSignature } from './execute-payment.ts'
import { cancellability, maySign, type Payment } from './payment.ts'
import { insertNetbankSignature } from './payment-store.ts'
import { findSignerIds } from './signatures.ts'

/** The result, or the reason for rejection: the user lacks the right, or the payment's status forbids it. */
export type NetbankResult =
  | { readonly notifications: readonly PushNotification[] }
  | { readonly type: 'forbidden' | 'too-late'; readonly because: string }

/** Adds one user's signature, or without a name those of every required user, to a locked payment. */
export async function signInNetbank(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  userId: string | undefined,
): Promise<NetbankResult> {
  const at = context.clock.now()
  if (!maySign(payment)) {
    return { type: 'too-late', because: `The payment is ${payment.status} and accepts no signature` }
  }
  if (userId === undefined) {
    const signers = Number.POSITIVE_INFINITY
    return { notifications: await acceptSignature(context, transaction, payment, { signers, at }) }
  }
  const forbidden = rejectionReason(context, payment, userId)
  if (forbidden !== null) {
    return { type: 'forbidden', because: forbidden }
  }
  const signedBy = await findSignerIds(transaction, payment)
  if (signedBy.has(userId)) {
    return { type: 'too-late', because: 'This user has signed already. Another user has to sign, too' }
  }
  await insertNetbankSignature(transaction, { payment_id: payment.id, signer_id: userId, signed_at: at.toString() })
  return { notifications: await acceptSignature(context, transaction, payment, { signers: signedBy.size + 1, at }) }
}

/** Cancels it for a user who may pay from the account, or without a name for the bank itself. */
export async function cancelInNetbank(
  context: Context,
  transaction: BankTransaction,
  payment: Payment,
  userId: string | undefined,
): Promise<NetbankResult> {
  if (cancellability(payment) === 'never') {
    return { type: 'too-late', because: `The payment is ${payment.status} and cannot be cancelled` }
  }
  const forbidden = userId === undefined ? null : rejectionReason(context, payment, userId)
  return forbidden === null
    ? { notifications: await setCancelled(transaction, payment, context.clock.now()) }
    : { type: 'forbidden', because: forbidden }
}

function rejectionReason({ fixture }: Context, payment: Payment, userId: string): string | null {
  const account = accountOf(fixture, payment.bank, payment.debtor)
  if (account !== undefined && mayPay(fixture, userId, account)) {
    return null
  }
  return `${userById(fixture, userId)?.name ?? 'Nobody known'} has no right to pay from account ${payment.debtor}`
}
