/** Tells what is known of the payouts in an order, for whoever reads what a bank says of each. */
import type { KnownElement } from '../../banks/bulk-order.ts'
import type { Context } from '../../context.ts'
import type { PaymentKey } from '../../orders/payment-store.ts'
import { listKnownElements } from '../../orders/payroll/payroll-transaction-store.ts'

/** By position. */
export async function knownPayouts(
  { database }: Pick<Context, 'database'>,
  order: PaymentKey,
): Promise<readonly KnownElement[]> {
  return await listKnownElements(database, order)
}
