/** Knows the people who have signed a payment, by itself or with everything in its basket. */
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import type { BankTransaction } from '../bank-context.ts'
import type { Payment } from './payment.ts'
import { netbankSignaturesOf } from './payment-store.ts'

/** How many different people have signed and not taken it back. */
export async function signersOf(transaction: BankTransaction, payment: Payment): Promise<number> {
  return (await signerIdsOf(transaction, payment)).size
}

/** Who they are. */
export async function signerIdsOf(transaction: BankTransaction, payment: Payment): Promise<ReadonlySet<string | null>> {
  const inNetbank = await netbankSignaturesOf(transaction, payment.id)
  const own = await authorisationsOf(transaction, 'payment', payment.id)
  const shared = payment.basket_id === null ? [] : await authorisationsOf(transaction, 'basket', payment.basket_id)
  return new Set([
    ...[...own, ...shared].filter((one) => counts(one, payment)).map((one) => one.signer_id),
    ...inNetbank.filter(({ signed_at: at }) => isAfterTakingBack(at, payment)).map((one) => one.signer_id),
  ])
}

/** Whether a signature was given and not taken back since. */
function counts({ outcome, created_at: begunAt }: Authorisation, payment: Payment): boolean {
  return outcome === 'approved' && isAfterTakingBack(begunAt, payment)
}

function isAfterTakingBack(at: Temporal.Instant, { unsigned_at: takenBackAt }: Payment): boolean {
  return takenBackAt === null || Temporal.Instant.compare(at, takenBackAt) > 0
}
