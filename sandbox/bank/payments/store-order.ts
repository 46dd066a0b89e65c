/** Keeps a sound order unsigned, and begins to have it signed where that was asked for. A repeated order is another one. */
import type { Insertable } from 'kysely'
import { beginsAtOnce } from '../authorisations/sca-approach.ts'
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import { refuse } from '../refusal.ts'
import { accountOf, signaturesRequired } from '../world.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { acceptSignature } from './execute-payment.ts'
import type { Payment, PaymentTable } from './payment.ts'
import { insertPayment, lockPayment, paymentLike } from './payment-store.ts'

export type InitiatedPayment = {
  readonly payment: Pick<Payment, 'id' | 'service' | 'product' | 'status' | 'last_visible' | 'signed_at'>
  readonly started: StartedAuthorisation | null
}

/** Every signature that an account asks for, when it asks for none. */
const ALL_SIGNERS = Number.POSITIVE_INFINITY

/** Where a payment is found, below `/v1`. */
export function paymentPath(payment: Pick<Payment, 'service' | 'product' | 'id'>): string {
  return `/${payment.service}/${payment.product}/${payment.id}`
}

/**
 * Keeps it, and in the same transaction whatever it is made of. Unless the third party wants to start the authorisation
 * itself, it is started at once.
 */
export async function keepOrder(
  context: BankContext,
  call: Xs2aCall,
  row: Insertable<PaymentTable>,
  keepContents?: (transaction: BankTransaction, payment: Payment) => Promise<void>,
): Promise<InitiatedPayment> {
  await refuseDuplicate(context, call, row)
  const { bank, headers } = call
  const account = accountOf(context.world, bank.bic, row.debtor)
  const isExempt = account !== undefined && signaturesRequired(context.world, account) === 0
  if (keepContents === undefined && !isExempt && !beginsAtOnce(bank, headers)) {
    await context.insertOrder(row)
    return { payment: { ...row, last_visible: row.last_visible ?? bank.lastVisible, signed_at: null }, started: null }
  }
  return await context.database.query.transaction().execute(async (transaction) => {
    const payment = await insertPayment(transaction, row)
    await keepContents?.(transaction, payment)
    if (isExempt) {
      return { payment: await exempt(context, transaction, payment), started: null }
    }
    const asked = { bank, subject: 'payment', headers, targetPath: paymentPath(payment) } as const
    const started = beginsAtOnce(bank, headers) ? await startAuthorisation(context, transaction, asked, payment) : null
    return { payment, started }
  })
}

/** Some banks take the same order once a day only, unless the third party insists. */
async function refuseDuplicate(
  context: BankContext,
  { bank, query }: Xs2aCall,
  row: Insertable<PaymentTable>,
): Promise<void> {
  const isTaken = bank.duplicates === 'taken' || query['allowLogicalDuplicate'] === 'true'
  if (isTaken && !(bank.duplicates === 'refused')) {
    return
  }
  const like = await paymentLike(context.database.query, row)
  if (like !== undefined && businessDay(bank, like.created_at).equals(businessDay(bank, context.clock.now()))) {
    throw refuse(400, 'PAYMENT_FAILED', 'An equal payment was ordered today already (duplicate)')
  }
}

/** From some accounts payments go without anybody signing them. */
async function exempt(context: BankContext, transaction: BankTransaction, payment: Payment): Promise<Payment> {
  await acceptSignature(context, transaction, payment, { signers: ALL_SIGNERS, at: context.clock.now() })
  return (await lockPayment(transaction, payment.id)) ?? payment
}
