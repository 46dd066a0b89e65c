/** Finds what a bank did not take of a basket that its user has signed: each order is asked after. */
import type { ApprovalStatus } from '../../contract/approvals.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { StatusObservation } from '../banks/connector/order-at-bank.ts'
import type { Context } from '../context.ts'
import { isHeld, type Payment } from '../orders/payment.ts'
import { ordersLike } from '../orders/status/order-lookup.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { fewAtATime } from '../platform/map-with-concurrency.ts'
import type { Approval } from './approval.ts'
import { signerAtBank } from './signer-at-bank.ts'

type Read = { readonly payment: Payment; readonly basketId: string; readonly seen: StatusObservation | null }

/** As many at a time; a bank has places for so many calls, and whoever finds none learns nothing of an order. */
const ORDERS_AT_ONCE = 8

/** The results of those that the signature was not taken for; a bank that cannot be read has taken it for all. */
export async function heldBack(
  context: Context,
  approval: Approval,
  signed: readonly Payment[],
): Promise<ReadonlyMap<string, ApprovalStatus>> {
  const basketById = new Map(approval.payments.map(({ paymentId, basketId }) => [paymentId, basketId]))
  const together = signed.flatMap((payment) => {
    const basketId = basketById.get(payment.id) ?? null
    return basketId === null ? [] : [{ payment, basketId }]
  })
  const first = await fewAtATime(together, ORDERS_AT_ONCE, async (one): Promise<Read> => {
    return { ...one, seen: await look(context, approval, one.payment) }
  })
  const inBaskets = await readMissing(context, approval, first)
  const found = inBaskets.flatMap((read): [Payment, ApprovalStatus][] => {
    const result = resultOf(read, inBaskets)
    return result === 'ACCEPTED' ? [] : [[read.payment, result]]
  })
  await fewAtATime(found, ORDERS_AT_ONCE, ([payment]) => followPayment(context, payment))
  return new Map(found.map(([{ id }, result]) => [id, result]))
}

/** A bank that shows some of them is there: what it did not show for want of a place is asked after once more. */
async function readMissing(context: Context, approval: Approval, reads: readonly Read[]): Promise<readonly Read[]> {
  if (reads.every(({ seen }) => seen === null)) {
    return reads
  }
  return await fewAtATime(reads, ORDERS_AT_ONCE, async (read) => {
    return read.seen === null ? { ...read, seen: await look(context, approval, read.payment) } : read
  })
}

async function look(context: Context, approval: Approval, payment: Payment): Promise<StatusObservation | null> {
  try {
    const { connector, caller } = await signerAtBank(context, approval)
    const orders = ordersLike(context, payment, connector)
    const isReadable = orders !== undefined && isHeld(payment)
    return isReadable ? await orders.read(caller, payment, { signed: false }) : null
  } catch (error) {
    if (error instanceof BankRefusal) {
      return null
    }
    throw error
  }
}

function resultOf(read: Read, all: readonly Read[]): ApprovalStatus {
  if (read.seen?.status === 'Rejected') {
    return 'REJECTED'
  }
  if (read.seen?.status === 'Cancelled') {
    return 'CANCELLED'
  }
  return staysBehind(read) && all.some((other) => isBesides(read, other) && MOVED_ON.has(other.seen?.status))
    ? 'REJECTED'
    : 'ACCEPTED'
}

/** The bank still says what it said before anybody had signed. */
function staysBehind({ payment, seen }: Read): boolean {
  return payment.status === 'Unsigned' && seen?.status === 'Unsigned' && seen.bankStatus === payment.bankStatus
}

/** What a signature brings about. Another word for an unsigned order shows none, nor does an end without one. */
const MOVED_ON: ReadonlySet<string | null | undefined> = new Set(['CustomerActionRequired', 'InProgress', 'Completed'])

/** Orders of one day go the same way at a bank: where one of them has moved on, the others are no slower. */
function isBesides(read: Read, other: Read): boolean {
  return other.basketId === read.basketId && other.payment.dueDate.equals(read.payment.dueDate)
}
