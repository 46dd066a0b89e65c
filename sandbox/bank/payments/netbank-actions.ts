/** Signs and cancels payments in the bank's own netbank, where no third party looks on. */
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Notice } from '../push-notifications.ts'
import { accountOf, mayPay, userById } from '../world.ts'
import { withdraw } from './cancel-payment.ts'
import { acceptSignature } from './execute-payment.ts'
import { maySign, type Payment, stoppable } from './payment.ts'
import { insertNetbankSignature } from './payment-store.ts'
import { signerIdsOf } from './signers.ts'

/** What came of it, or why it is not done: the user may not, or the payment no longer can. */
export type NetbankAnswer =
  | { readonly notices: readonly Notice[] }
  | { readonly type: 'forbidden' | 'too-late'; readonly because: string }

/** Takes one user's signature, or without a name those of everybody who has to. The payment is locked by the caller. */
export async function signInNetbank(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  userId: string | undefined,
): Promise<NetbankAnswer> {
  const at = context.clock.now()
  if (!maySign(payment)) {
    return { type: 'too-late', because: `The payment is ${payment.status} and takes no signature` }
  }
  if (userId === undefined) {
    const signers = Number.POSITIVE_INFINITY
    return { notices: await acceptSignature(context, transaction, payment, { signers, at }) }
  }
  const forbidden = reasonAgainst(context, payment, userId)
  if (forbidden !== null) {
    return { type: 'forbidden', because: forbidden }
  }
  const signedBy = await signerIdsOf(transaction, payment)
  if (signedBy.has(userId)) {
    return { type: 'too-late', because: 'This user has signed already. Somebody else has to sign too' }
  }
  await insertNetbankSignature(transaction, { payment_id: payment.id, signer_id: userId, signed_at: at.toString() })
  return { notices: await acceptSignature(context, transaction, payment, { signers: signedBy.size + 1, at }) }
}

/** Cancels it for a user who may pay from the account, or without a name for the bank itself. */
export async function cancelInNetbank(
  context: BankContext,
  transaction: BankTransaction,
  payment: Payment,
  userId: string | undefined,
): Promise<NetbankAnswer> {
  if (stoppable(payment) === 'never') {
    return { type: 'too-late', because: `The payment is ${payment.status} and cannot be cancelled` }
  }
  const forbidden = userId === undefined ? null : reasonAgainst(context, payment, userId)
  return forbidden === null
    ? { notices: await withdraw(transaction, payment, context.clock.now()) }
    : { type: 'forbidden', because: forbidden }
}

function reasonAgainst({ world }: BankContext, payment: Payment, userId: string): string | null {
  const account = accountOf(world, payment.bank, payment.debtor)
  if (account !== undefined && mayPay(world, userId, account)) {
    return null
  }
  return `${userById(world, userId)?.name ?? 'Nobody known'} has no right to pay from account ${payment.debtor}`
}
