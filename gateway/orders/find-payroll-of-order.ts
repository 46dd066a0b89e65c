/** Finds the payroll of an order, or of an equal order with an unknown outcome. */
import type { Context } from '../context.ts'
import { findOpenOutcome, findPayment, type PaymentKey } from './store/payment-store.ts'

/** The properties by which orders are equal. */
export type OpenOrderQuery = {
  readonly partnerId: string
  /** The endToEndId of the first transaction. */
  readonly endToEndId: string
  /** As returned by `contentDigest`. */
  readonly digest: string
  readonly currency: string
}

/** Returns the payroll id of an order, or undefined if it belongs to none. */
export async function findPayrollOfOrder({ database }: Context, order: PaymentKey): Promise<string | undefined> {
  return (await findPayment(database, order))?.payrollId ?? undefined
}

/** Returns the payroll id of an equal order with an unknown outcome, or undefined without one. */
export async function findPayrollOfOpenOrder(
  { database }: Context,
  { partnerId, endToEndId, digest, currency }: OpenOrderQuery,
): Promise<string | undefined> {
  const order = { partnerId, endToEndId, amount: { minor: 0n, currency }, creditorBban: digest }
  return (await findOpenOutcome(database, order))?.payrollId ?? undefined
}
