/** Finds the orders of a signed basket for which the bank did not accept the signature, by polling each order. */
import type { ApprovalStatus } from '../../../../contract/approvals.ts'
import { BankError } from '../../../banks/connector/bank-error.ts'
import type { StatusObservation } from '../../../banks/connector/bank-order.ts'
import type { Context } from '../../../context.ts'
import { mapWithConcurrency } from '../../../platform/concurrency.ts'
import { isAcknowledged, type Payment } from '../../payment.ts'
import { requireOrderOperations } from '../../status/bank-access.ts'
import { pollPayment } from '../../status/poll-payment.ts'
import type { Approval } from '../approval.ts'
import { requireSigner, type SignerContext, signerContext } from '../authorised-target.ts'

type Read = { readonly payment: Payment; readonly basketId: string; readonly observed: StatusObservation | null }

/** Below the bank's rate limit: a call beyond it would learn nothing about its order. */
export const ORDERS_AT_ONCE = 8

/** Returns the results of the unaccepted orders. If the bank is unreachable, the signature counts as accepted for all. */
export async function findUnacceptedItems(
  context: Context,
  approval: Approval,
  signed: readonly Payment[],
): Promise<ReadonlyMap<string, ApprovalStatus>> {
  const basketById = new Map(approval.payments.map(({ paymentId, basketId }) => [paymentId, basketId]))
  const basketItems = signed.flatMap((payment) => {
    const basketId = basketById.get(payment.id) ?? null
    return basketId === null ? [] : [{ payment, basketId }]
  })
  const at =
    basketItems.length === 0
      ? null
      : await nullIfUnreachable(async () => signerContext(context, await requireSigner(context, approval)))
  if (at === null) {
    return new Map()
  }
  const first = await mapWithConcurrency(basketItems, ORDERS_AT_ONCE, async (item): Promise<Read> => {
    return { ...item, observed: await readOrderStatus(context, at, item.payment) }
  })
  const inBaskets = await rereadMissing(context, at, first)
  const found = inBaskets.flatMap((read): [Payment, ApprovalStatus][] => {
    const result = basketItemResultOf(read, inBaskets)
    return result === 'ACCEPTED' ? [] : [[read.payment, result]]
  })
  await mapWithConcurrency(found, ORDERS_AT_ONCE, ([payment]) => pollPayment(context, payment))
  return new Map(found.map(([{ id }, result]) => [id, result]))
}

/** If some orders could be read, the bank is reachable: the others are read once more. */
async function rereadMissing(context: Context, at: SignerContext, reads: readonly Read[]): Promise<readonly Read[]> {
  if (reads.every(({ observed }) => observed === null)) {
    return reads
  }
  return await mapWithConcurrency(reads, ORDERS_AT_ONCE, async (read) => {
    return read.observed === null ? { ...read, observed: await readOrderStatus(context, at, read.payment) } : read
  })
}

async function readOrderStatus(
  context: Context,
  { bank, caller }: SignerContext,
  payment: Payment,
): Promise<StatusObservation | null> {
  return isAcknowledged(payment)
    ? await nullIfUnreachable(() =>
        requireOrderOperations(context, bank, payment).read(caller, payment, { signed: false }),
      )
    : null
}

async function nullIfUnreachable<Result>(call: () => Promise<Result>): Promise<Result | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof BankError) {
      return null
    }
    throw error
  }
}

function basketItemResultOf(read: Read, all: readonly Read[]): ApprovalStatus {
  if (read.observed?.status === 'Rejected') {
    return 'REJECTED'
  }
  if (read.observed?.status === 'Cancelled') {
    return 'CANCELLED'
  }
  return isUnchangedSinceSigning(read) &&
    all.some((other) => isComparableInBasket(read, other) && STATUSES_AFTER_SIGNING.has(other.observed?.status))
    ? 'REJECTED'
    : 'ACCEPTED'
}

/** The bank still reports the status that it reported before the signature. */
function isUnchangedSinceSigning({ payment, observed }: Read): boolean {
  return payment.status === 'Unsigned' && observed?.status === 'Unsigned' && observed.bankStatus === payment.bankStatus
}

/** Statuses that only a signature causes. Another code for an unsigned order, or a cancellation, does not prove one. */
export const STATUSES_AFTER_SIGNING: ReadonlySet<string | null | undefined> = new Set([
  'CustomerActionRequired',
  'InProgress',
  'Completed',
])

/** A bank processes orders of one due date alike: if one has progressed, the others would have, too. */
function isComparableInBasket(read: Read, other: Read): boolean {
  return other.basketId === read.basketId && other.payment.dueDate.equals(read.payment.dueDate)
}
