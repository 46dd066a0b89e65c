/** Finds the payroll of an order: of one that is known, and of an equal one whose outcome at the bank is open. */
import type { Context } from '../../context.ts'
import { findOpenOutcome, findPayment, type PaymentKey } from '../payment-store.ts'

/** What makes an order equal to another. */
export type OpenOrder = {
  readonly partnerId: string
  /** The first payout's. */
  readonly endToEndId: string
  /** As `contentDigest` gives it. */
  readonly digest: string
  readonly currency: string
}

/** The payroll that an order is of. */
export async function findPayrollOfOrder(
  { database }: Pick<Context, 'database'>,
  order: PaymentKey,
): Promise<string | undefined> {
  return (await findPayment(database, order))?.payrollId ?? undefined
}

/** Its payroll's id. */
export async function findOpenOrder(
  { database }: Pick<Context, 'database'>,
  { partnerId, endToEndId, digest, currency }: OpenOrder,
): Promise<string | undefined> {
  const order = { partnerId, endToEndId, amount: { minor: 0n, currency }, creditorBban: digest }
  return (await findOpenOutcome(database, order))?.payrollId ?? undefined
}
