/** Finds payments for which their bank wanted no signature, because their account needs none. */
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { listFirstStatuses } from '../orders/payment-list-store.ts'

/** Of these payments, the ids of those that were under way, or over, when the bank took them, and have not failed since. */
export async function signedByNobody(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  payments: readonly Payment[],
): Promise<ReadonlySet<string>> {
  const going = payments.filter(({ status }) => GOES_WELL.has(status)).map(({ id }) => id)
  const first = going.length === 0 ? new Map() : await listFirstStatuses(database, partnerId, going)
  return new Set(going.filter((id) => GOES_WELL.has(first.get(id))))
}

const GOES_WELL: ReadonlySet<Payment['status'] | undefined> = new Set(['InProgress', 'Completed'])
