/** Signs and cancels payments in the bank's netbank, without the third party. */

import { insertRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import { accountOf, mayPay, userById } from '../fixture-lookup.ts'
import { setCancelled } from './cancel-payment.ts'
import { acceptSignature } from './execute-payment.ts'
import { cancellability, maySign, type Payment } from './payment.ts'
import { findSignerIds } from './signatures.ts'

/** Why it was rejected: the user lacks the right, or the payment's status forbids it. Undefined when it was done. */
export type NetbankRejection = { readonly type: 'forbidden' | 'too-late'; readonly because: string } | undefined

/** Adds one user's signature, or without a name those of every required user, to a locked payment. */
export async function signInNetbank(
  context: Context,
  payment: Payment,
  userId: string | undefined,
): Promise<NetbankRejection> {
  const at = context.clock.now()
  if (!maySign(payment)) {
    return { type: 'too-late', because: `The payment is ${payment.status} and accepts no signature` }
  }
  if (userId === undefined) {
    await acceptSignature(context, payment, { signers: Number.POSITIVE_INFINITY, at })
    return undefined
  }
  const forbidden = rejectionReason(context, payment, userId)
  if (forbidden !== null) {
    return { type: 'forbidden', because: forbidden }
  }
  const signedBy = await findSignerIds(context, payment)
  if (signedBy.has(userId)) {
    return { type: 'too-late', because: 'This user has signed already. Another user has to sign, too' }
  }
  await insertRow(context, 'netbank_signatures', {
    payment_id: payment.id,
    signer_id: userId,
    signed_at: at.toString(),
  })
  await acceptSignature(context, payment, { signers: signedBy.size + 1, at })
  return undefined
}

/** Cancels it for a user who may pay from the account, or without a name for the bank itself. */
export async function cancelInNetbank(
  context: Context,
  payment: Payment,
  userId: string | undefined,
): Promise<NetbankRejection> {
  if (cancellability(payment) === 'never') {
    return { type: 'too-late', because: `The payment is ${payment.status} and cannot be cancelled` }
  }
  const forbidden = userId === undefined ? null : rejectionReason(context, payment, userId)
  if (forbidden !== null) {
    return { type: 'forbidden', because: forbidden }
  }
  await setCancelled(context, payment, context.clock.now())
  return undefined
}

function rejectionReason({ fixture }: Context, payment: Payment, userId: string): string | null {
  const account = accountOf(fixture, payment.bank, payment.debtor)
  if (account !== undefined && mayPay(fixture, userId, account)) {
    return null
  }
  return `${userById(fixture, userId)?.name ?? 'Nobody known'} has no right to pay from account ${payment.debtor}`
}
