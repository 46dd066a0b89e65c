/** Finds the users who have signed a payment, alone or with its basket. */
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationsOf } from '../authorisations/authorisation-store.ts'
import type { BankTransaction } from '../bank-context.ts'
import type { Payment } from './payment.ts'
import { netbankSignaturesOf } from './payment-store.ts'

/** The number of different users with a signature that was not revoked. */
export async function countSigners(transaction: BankTransaction, payment: Payment): Promise<number> {
  return (await findSignerIds(transaction, payment)).size
}

export async function findSignerIds(
  transaction: BankTransaction,
  payment: Payment,
): Promise<ReadonlySet<string | null>> {
  const inNetbank = await netbankSignaturesOf(transaction, payment.id)
  const own = await authorisationsOf(transaction, 'payment', payment.id)
  const shared = payment.basket_id === null ? [] : await authorisationsOf(transaction, 'basket', payment.basket_id)
  return new Set([
    ...[...own, ...shared].filter((one) => countsAsSignature(one, payment)).map((one) => one.signer_id),
    ...inNetbank.filter(({ signed_at: at }) => isAfterRevocation(at, payment)).map((one) => one.signer_id),
  ])
}

/** Whether a signature was given and not revoked since. */
function countsAsSignature({ outcome, created_at: begunAt }: Authorisation, payment: Payment): boolean {
  return outcome === 'approved' && isAfterRevocation(begunAt, payment)
}

function isAfterRevocation(at: Temporal.Instant, { signatures_revoked_at: takenBackAt }: Payment): boolean {
  return takenBackAt === null || Temporal.Instant.compare(at, takenBackAt) > 0
}
