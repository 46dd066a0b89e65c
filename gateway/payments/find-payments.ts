/** Finds payments of a partner for the rooms that act on them. */
import type { Context } from '../context.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { isId } from '../foundation/ids.ts'
import { markWithdrawn } from './lapsed-order-store.ts'
import type { HeldPayment, Payment } from './payment.ts'
import { findPayments } from './payment-store.ts'
import { markSigned } from './status-store.ts'

/** The payments in the order of their ids. One that is unknown, or another partner's, does not exist: 404. */
export async function findPaymentsOf(
  { database }: Context,
  partnerId: string,
  ids: readonly string[],
): Promise<readonly Payment[]> {
  const wanted = ids.map((id) => id.toLowerCase())
  const possible = wanted.filter(isId)
  const found = possible.length === 0 ? [] : await findPayments(database, partnerId, possible)
  const byId = new Map(found.map((payment) => [payment.id, payment]))
  return wanted.map((id, n) => {
    const payment = byId.get(id)
    if (payment === undefined) {
      throw refuse('not-found', `There is no payment with the id at .payments[${n}]`)
    }
    return payment
  })
}

/** One payment. */
export async function findPaymentOf({ database }: Context, partnerId: string, id: string): Promise<Payment> {
  const wanted = id.toLowerCase()
  const [payment] = isId(wanted) ? await findPayments(database, partnerId, [wanted]) : []
  if (payment === undefined) {
    throw refuse('not-found', 'There is no payment with this id')
  }
  return payment
}

/** Notes that a user's signature was taken, and has the payment read at its bank at once. */
export async function noteSigned({ database, clock }: Context, payment: Payment): Promise<void> {
  await markSigned(database, payment, clock.now())
}

/** Notes that the bank took the withdrawal of the order: it is never placed again. */
export async function noteWithdrawn({ database, clock }: Context, payment: HeldPayment): Promise<void> {
  await markWithdrawn(database, payment, clock.now())
}
