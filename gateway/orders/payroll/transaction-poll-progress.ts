/** Tells what one reading of an order says of the payouts in it, which some banks tell of a part at a time. */
import type { BulkObservation } from '../../banks/bulk-order.ts'
import type { Context } from '../../context.ts'
import { isFinalValue, type Payment } from '../payment.ts'
import { listKnownElements } from './payroll-transaction-store.ts'

/** Whether a payout stands otherwise than before, and how many readings like this one tell of all that are open. */
export type PayoutsRead = { readonly changed: boolean; readonly readings: number }

/** A bank that tells of no more than a few in one reading is not asked ever so often because of that. */
const READINGS_MAX = 10

/** Of an order that speaks for all its payouts, as of a payment, nothing is told besides. */
export async function payoutsRead(
  { database }: Pick<Context, 'database'>,
  payment: Payment,
  { elements = [] }: BulkObservation,
): Promise<PayoutsRead> {
  if (payment.type !== 'Payroll' || elements.length === 0) {
    return { changed: false, readings: 1 }
  }
  const known = await listKnownElements(database, payment)
  const told = new Set(elements.map(({ position }) => position))
  const changed = elements.some(({ position, status }) => status !== null && status !== known[position]?.status)
  const isLeft = (status: (typeof known)[number]['status'], position: number) =>
    !told.has(position) && (status === null || !isFinalValue(status))
  const left = known.filter(({ status }, position) => isLeft(status, position)).length
  return { changed, readings: Math.min(READINGS_MAX, Math.ceil((told.size + left) / told.size)) }
}
