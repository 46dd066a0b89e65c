/** Counts the people who have signed a payment, by itself or with everything in its basket. */
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import type { BankTransaction } from '../context.ts'
import type { Payment } from './payment.ts'

/** How many different people have signed and not taken it back. */
export async function signersOf(transaction: BankTransaction, payment: Payment): Promise<number> {
  const own = await authorisationsOf(transaction, 'payment', payment.id)
  const shared = payment.basket_id === null ? [] : await authorisationsOf(transaction, 'basket', payment.basket_id)
  return new Set([...own, ...shared].filter((one) => counts(one, payment)).map((one) => one.signer_id)).size
}

/** Whether a signature was given and not taken back since. */
function counts({ outcome, created_at: begunAt }: Authorisation, { unsigned_at: takenBackAt }: Payment): boolean {
  return outcome === 'approved' && (takenBackAt === null || Temporal.Instant.compare(begunAt, takenBackAt) > 0)
}
