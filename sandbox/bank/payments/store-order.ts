/** Stores a valid order and starts its authorisation where requested; a repeated order is a new one. */
import type { Insertable } from 'kysely'
import { isStartedImplicitly } from '../authorisations/sca-approach.ts'
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankTransaction, Context } from '../context.ts'
import { accountOf, signaturesRequired } from '../fixture-lookup.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import { acceptSignature } from './execute-payment.ts'
import type { Payment, PaymentTable } from './payment.ts'
import { findDuplicatePayment, insertPayment, lockPayment } from './payment-store.ts'

export type InitiatedPayment = {
  readonly payment: Pick<Payment, 'id' | 'service' | 'product' | 'status' | 'last_visible' | 'signed_at'>
  readonly started: StartedAuthorisation | null
}

/** For accounts that require no signature, more than any order has. */
const ALL_SIGNERS = Number.POSITIVE_INFINITY

/** The path of a payment, below `/v1`. */
export function paymentPath(payment: Pick<Payment, 'service' | 'product' | 'id'>): string {
  return `/${payment.service}/${payment.product}/${payment.id}`
}

/**
 * Stores it in one transaction with its related rows. Unless the third party requests explicit start, its
 * authorisation is started at once.
 */
export async function storeOrder(
  context: Context,
  call: Xs2aCall,
  row: Insertable<PaymentTable>,
  insertContents?: (transaction: BankTransaction, payment: Payment) => Promise<void>,
): Promise<InitiatedPayment> {
  await rejectDuplicate(context, call, row)
  const { bank, headers } = call
  const account = accountOf(context.fixture, bank.bic, row.debtor)
  const isExempt = account !== undefined && signaturesRequired(context.fixture, account) === 0
  if (insertContents === undefined && !isExempt && !isStartedImplicitly(bank, headers)) {
    await context.insertOrder(row)
    return { payment: { ...row, last_visible: row.last_visible ?? bank.lastVisible, signed_at: null }, started: null }
  }
  return await context.database.query.transaction().execute(async (transaction) => {
    const payment = await insertPayment(transaction, row)
    await insertContents?.(transaction, payment)
    if (isExempt) {
      return { payment: await acceptWithoutSca(context, transaction, payment), started: null }
    }
    const requested = { bank, subject: 'payment', headers, targetPath: paymentPath(payment) } as const
    const started = isStartedImplicitly(bank, headers)
      ? await startAuthorisation(context, transaction, requested, payment)
      : null
    return { payment, started }
  })
}

/** Some banks accept equal orders once a day only, unless the third party overrides the check. */
async function rejectDuplicate(
  context: Context,
  { bank, query }: Xs2aCall,
  row: Insertable<PaymentTable>,
): Promise<void> {
  const isAccepted = bank.duplicates === 'accepted' || query['allowLogicalDuplicate'] === 'true'
  if (isAccepted && bank.duplicates !== 'rejected') {
    return
  }
  const like = await findDuplicatePayment(context.database.query, row)
  if (like !== undefined && businessDay(bank, like.created_at).equals(businessDay(bank, context.clock.now()))) {
    throw xs2aError(400, 'PAYMENT_FAILED', 'An equal payment was ordered today already (duplicate)')
  }
}

/** Some accounts pay without SCA. */
async function acceptWithoutSca(context: Context, transaction: BankTransaction, payment: Payment): Promise<Payment> {
  await acceptSignature(context, transaction, payment, { signers: ALL_SIGNERS, at: context.clock.now() })
  return (await lockPayment(transaction, payment.id)) ?? payment
}
