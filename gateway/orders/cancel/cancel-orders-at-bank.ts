/** Requests the cancellation of orders at their bank while their user waits, and starts the SCA that the bank requires. */
import type { Sca } from '../../../contract/sca.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { CHAINED_SCA_SESSIONS_MAX } from '../../banks/directory/profile-consistency.ts'
import type { Context } from '../../context.ts'
import { mapWithConcurrency } from '../../platform/concurrency.ts'
import { allOrNothing } from '../../platform/database/in-transaction.ts'
import { ApiError, apiError } from '../../platform/http/errors/api-error.ts'
import { isAcknowledged } from '../payment.ts'
import { supersedeScaSessions, withPaymentLeases } from '../sign/open-sca-sessions.ts'
import type { CancellableInstruction, Cancellation, OrderCancellation, RequestedCancellation } from './cancellation.ts'
import { startCancellationSca } from './cancellation-sca-subject.ts'
import { deleteCancellation, postponeParts } from './cancellation-store.ts'
import { recordBankAnswer, recordCancellationEnd, requestBankCancellation } from './request-bank-cancellation.ts'

/** Leaves capacity of the bank's rate limit for other waiting users. */
const ORDERS_AT_ONCE = 4
const RETRY_AFTER = { seconds: 10 }

type Progress = {
  readonly requested: RequestedCancellation
  readonly isRepeated: boolean
  /** Those for which the bank requires SCA. */
  readonly toSign: OrderCancellation[]
  /** Whether the bank may have cancelled any. */
  mayHaveCancelled: boolean
  /** Whether the bank did not answer for one that it was asked for. */
  isUnanswered: boolean
}

/** What the user needs to sign, if the bank requires that, and whether it did not answer for an order that it was asked for. */
export type BankAnswers = { readonly sca?: Sca | undefined; readonly isUnanswered: boolean }

/**
 * Leases keep users from starting to sign these orders meanwhile; approvals whose users are not at the bank are ended
 * first. A sweep requests what is left. Throws if the bank certainly cancelled nothing; then deletes the cancellation
 * unless it existed before.
 */
export async function cancelOrdersAtBank(
  context: Context,
  requested: RequestedCancellation,
  cancellation: Cancellation,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<BankAnswers> {
  const parts = unansweredParts(requested.instruction, cancellation)
  const orders = parts.map(({ order }) => order)
  if (parts.length === 0) {
    return { isUnanswered: false }
  }
  const progress = { requested, isRepeated, toSign: [], mayHaveCancelled: isRepeated, isUnanswered: false }
  try {
    const sca = await withPaymentLeases(context, cancellation, orders, async () => {
      await supersedeScaSessions(context, cancellation.partnerId, orders)
      return await requestInTurn(
        context,
        progress,
        cancellation,
        await findPartsAgain(context, requested, cancellation),
      )
    })
    return { sca, isUnanswered: progress.isUnanswered }
  } catch (error) {
    const isDeleted =
      provesNothingDone(error) &&
      !progress.mayHaveCancelled &&
      (await allOrNothing(context, ({ database }) => deleteCancellation(database, cancellation)))
    if (!isDeleted) {
      await postpone(context, parts)
    }
    throw error
  }
}

function unansweredParts({ orders }: CancellableInstruction, { parts }: Cancellation): readonly OrderCancellation[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return parts.flatMap((part) => {
    const order = byId.get(part.paymentId)
    return part.status === 'REQUESTED' && order !== undefined && isAcknowledged(order) ? [{ part, order }] : []
  })
}

/**
 * The parts with their orders as they are under the leases. Those that are not to be cancelled any more, such as a signed
 * exchange, are rejected without a call to the bank. Throws 409 for an order that was resubmitted meanwhile.
 */
async function findPartsAgain(
  context: Context,
  { findAgain }: RequestedCancellation,
  cancellation: Cancellation,
): Promise<readonly OrderCancellation[]> {
  const instruction = await findAgain()
  const parts = unansweredParts(instruction, cancellation)
  if (parts.some(({ part, order }) => part.bankPaymentId !== order.bankPaymentId)) {
    throw apiError('conflict', `The ${cancellation.kind} changed during the request. Try again`)
  }
  const { decision, reason } = instruction
  if (decision !== 'REJECTED' || reason === null) {
    return parts
  }
  await rejectParts(context, parts, reason)
  return []
}

/** The first order shows what to expect: if the bank does not answer or requires SCA, the others are not all requested. */
async function requestInTurn(
  context: Context,
  progress: Progress,
  cancellation: Cancellation,
  parts: readonly OrderCancellation[],
): Promise<Sca | undefined> {
  const { toSign, requested } = progress
  const [first, ...remaining] = parts
  if (first === undefined) {
    return undefined
  }
  await requestOne(context, progress, first)
  if (toSign.length > 0 && parts.length > CHAINED_SCA_SESSIONS_MAX) {
    await rejectTooManySignatures(context, parts)
    return undefined
  }
  await requestRemaining(context, progress, remaining)
  if (toSign.length > CHAINED_SCA_SESSIONS_MAX) {
    await rejectTooManySignatures(context, toSign)
    return undefined
  }
  if (progress.isUnanswered) {
    // A later request would start a second SCA session: it repeats these, so that one link covers all signatures.
    await postpone(context, toSign)
    return undefined
  }
  return toSign.length === 0 ? undefined : await startCancellationSca(context, requested, cancellation, toSign)
}

async function requestOne(context: Context, progress: Progress, one: OrderCancellation): Promise<void> {
  const { requested, isRepeated, toSign } = progress
  try {
    const answer = await requestBankCancellation(context, one, requested.caller, { isRepeated })
    if (answer === 'authorisation-required') {
      toSign.push(one)
    } else {
      progress.mayHaveCancelled = true
      const { status } = await recordBankAnswer(context, one, answer)
      progress.isUnanswered ||= status === 'REQUESTED'
    }
  } catch (error) {
    progress.mayHaveCancelled ||= !provesNothingDone(error)
    throw error
  }
}

/** Too many signatures for one user: none is requested, and the orders stay as they are. */
async function rejectTooManySignatures(context: Context, parts: readonly OrderCancellation[]): Promise<void> {
  const reason = `The bank requires a signature for each of ${parts.length} cancellations. At most ${CHAINED_SCA_SESSIONS_MAX} can be signed in turn`
  await rejectParts(context, parts, reason)
}

async function rejectParts(context: Context, parts: readonly OrderCancellation[], reason: string): Promise<void> {
  await mapWithConcurrency(parts, ORDERS_AT_ONCE, ({ part, order }) =>
    recordCancellationEnd(context, part, { yes: false, reason }, order),
  )
}

async function requestRemaining(
  context: Context,
  progress: Progress,
  remaining: readonly OrderCancellation[],
): Promise<void> {
  const { clock, database } = context
  const left: OrderCancellation[] = []
  await mapWithConcurrency(remaining, ORDERS_AT_ONCE, async (one) => {
    if (Temporal.Instant.compare(clock.real(), progress.requested.userWaitsUntil) >= 0) {
      left.push(one)
      return
    }
    try {
      await requestOne(context, progress, one)
    } catch (error) {
      if (!provesNothingDone(error)) {
        throw error
      }
      progress.isUnanswered = true
      await postpone(context, [one])
    }
  })
  await postponeParts(
    database,
    left.map(({ part }) => part),
    clock.real(),
  )
}

/** Whether the error proves that the bank cancelled nothing. */
function provesNothingDone(error: unknown): boolean {
  return error instanceof BankError || error instanceof ApiError
}

async function postpone({ clock, database }: Context, parts: readonly OrderCancellation[]): Promise<void> {
  await postponeParts(
    database,
    parts.map(({ part }) => part),
    clock.real().add(RETRY_AFTER),
  )
}
