/** Finds payments for which the bank required no signature because their account is exempt from SCA. */
import type { Context } from '../../context.ts'
import type { Payment } from '../payment.ts'
import { listFirstStatuses } from '../store/payment-list-store.ts'

/** Returns the ids of the payments that were in progress or completed on acknowledgement and have not failed since. */
export async function findScaExemptPayments(
  { database }: Context,
  partnerId: string,
  payments: readonly Payment[],
): Promise<ReadonlySet<string>> {
  const successful = payments.filter(({ status }) => SUCCESSFUL.has(status)).map(({ id }) => id)
  const firstStatuses = successful.length === 0 ? new Map() : await listFirstStatuses(database, partnerId, successful)
  return new Set(successful.filter((id) => SUCCESSFUL.has(firstStatuses.get(id))))
}

const SUCCESSFUL: ReadonlySet<Payment['status'] | undefined> = new Set(['InProgress', 'Completed'])
