/** Requests the cancellation of each order of a payroll at the bank while the user waits. */

import { CHAINED_STEPS_MAX } from '../../approvals/plan-sca-steps.ts'
import { supersedeScaSessions } from '../../approvals/supersede-sca-sessions.ts'
import { withPaymentLeases } from '../../approvals/with-payment-leases.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import { postponeCancellations } from '../../cancellations/cancellation-store.ts'
import { recordCancellationEnd } from '../../cancellations/complete-cancellation.ts'
import { requestBankCancellation } from '../../cancellations/request-bank-cancellation.ts'
import type { Context } from '../../context.ts'
import { isAcknowledged } from '../../orders/payment.ts'
import { ApiError } from '../../platform/http/errors/api-error.ts'
import { mapWithConcurrency } from '../../platform/map-with-concurrency.ts'
import { deletePayrollCancellation } from './delete-payroll-cancellation.ts'
import type { OrderCancellation, PayrollCancellation } from './payroll-cancellation.ts'
import type { RequestedPayrollCancellation } from './requested-payroll-cancellation.ts'
import { startPayrollCancellationSca } from './start-payroll-cancellation-sca.ts'

/** Leaves capacity of the bank's rate limit for other waiting users. */
const ORDERS_AT_ONCE = 4
const RETRY_AFTER = { seconds: 10 }

/** A cancellation that was requested, and whether the bank was asked for an order and did not answer. */
export type RequestedCancellation = { readonly id: string; readonly isUnanswered: boolean }

/**
 * Leases keep users from starting to sign these orders meanwhile. A sweep requests what is left. Throws if the
 * bank certainly cancelled nothing; then deletes the cancellation unless it existed before.
 */
export async function requestPayrollBankCancellations(
  context: Context,
  requested: RequestedPayrollCancellation,
  payrollCancellation: PayrollCancellation,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<RequestedCancellation> {
  const { id } = payrollCancellation
  const parts = unansweredParts(requested, payrollCancellation)
  if (parts.length === 0) {
    return { id, isUnanswered: false }
  }
  const orders = parts.map(({ order }) => order)
  const progress: CancellationProgress = {
    ...{ context, requested, isRepeated, toSign: [] },
    ...{ mayHaveCancelled: isRepeated, isUnanswered: false },
  }
  try {
    await withPaymentLeases(context, payrollCancellation, orders, async () => {
      await supersedeScaSessions(context, payrollCancellation.partnerId, orders)
      await requestInTurn(progress, payrollCancellation, parts)
    })
    return { id, isUnanswered: progress.isUnanswered }
  } catch (error) {
    const isDeleted =
      isKnownError(error) &&
      !progress.mayHaveCancelled &&
      (await deletePayrollCancellation(context, payrollCancellation))
    if (!isDeleted) {
      await postponeParts(context, parts)
    }
    throw error
  }
}

type CancellationProgress = {
  readonly context: Context
  readonly requested: RequestedPayrollCancellation
  readonly isRepeated: boolean
  /** Those for which the bank requires SCA. */
  readonly toSign: OrderCancellation[]
  /** Whether the bank may have cancelled any. */
  mayHaveCancelled: boolean
  /** Whether the bank did not answer for one that it was asked for. */
  isUnanswered: boolean
}

/** The first order shows what to expect: if the bank does not answer or requires SCA, the others are not all requested. */
async function requestInTurn(
  progress: CancellationProgress,
  payrollCancellation: PayrollCancellation,
  parts: readonly OrderCancellation[],
): Promise<void> {
  const { context, requested, toSign } = progress
  const [first, ...remaining] = parts
  if (first === undefined) {
    return
  }
  await requestOne(progress, first)
  if (toSign.length > 0 && parts.length > CHAINED_STEPS_MAX) {
    await rejectTooManySignatures(context, parts, parts.length)
    return
  }
  await requestRemaining(progress, remaining)
  if (toSign.length > CHAINED_STEPS_MAX) {
    await rejectTooManySignatures(context, toSign, toSign.length)
  } else if (toSign.length > 0) {
    await startPayrollCancellationSca(context, requested, payrollCancellation, toSign)
  }
}

async function requestOne(progress: CancellationProgress, { part, order }: OrderCancellation): Promise<void> {
  const { context, requested, isRepeated, toSign } = progress
  const { consent, psu } = requested.caller
  let wantsSignature = false
  try {
    const { cancellation } = await requestBankCancellation(context, part, order, {
      consent,
      psu,
      isRepeated,
      isHeld: true,
      endOpenScaSessions: async () => undefined,
      startSca: async () => {
        wantsSignature = true
        toSign.push({ part, order })
        return { cancellation: part }
      },
    })
    progress.mayHaveCancelled ||= !wantsSignature
    progress.isUnanswered ||= !wantsSignature && cancellation.status === 'REQUESTED'
  } catch (error) {
    progress.mayHaveCancelled ||= !isKnownError(error)
    throw error
  }
}

/** Too many signatures for one user: none is requested, and the orders stay as they are. */
async function rejectTooManySignatures(
  context: Context,
  parts: readonly OrderCancellation[],
  count: number,
): Promise<void> {
  const reason = `The bank requires a signature for each of ${count} cancellations. At most ${CHAINED_STEPS_MAX} can be signed in turn`
  await mapWithConcurrency(parts, ORDERS_AT_ONCE, ({ part, order }) =>
    recordCancellationEnd(context, part, { yes: false, reason }, order),
  )
}

async function requestRemaining(
  progress: CancellationProgress,
  remaining: readonly OrderCancellation[],
): Promise<void> {
  const { clock, database } = progress.context
  const left: OrderCancellation[] = []
  await mapWithConcurrency(remaining, ORDERS_AT_ONCE, async (one) => {
    if (Temporal.Instant.compare(clock.real(), progress.requested.waitUntil) < 0) {
      await requestOne(progress, one).catch((error: unknown) => postponeAfterKnownError(progress, one, error))
    } else {
      left.push(one)
    }
  })
  await postponeCancellations(
    database,
    left.map(({ part }) => part),
    clock.real(),
  )
}

async function postponeAfterKnownError(
  progress: CancellationProgress,
  one: OrderCancellation,
  error: unknown,
): Promise<void> {
  if (!isKnownError(error)) {
    throw error
  }
  progress.isUnanswered = true
  await postponeParts(progress.context, [one])
}

/** Whether the error proves that the bank cancelled nothing. */
function isKnownError(error: unknown): boolean {
  return error instanceof BankError || error instanceof ApiError
}

async function postponeParts(context: Context, parts: readonly OrderCancellation[]): Promise<void> {
  const later = context.clock.real().add(RETRY_AFTER)
  await postponeCancellations(
    context.database,
    parts.map(({ part }) => part),
    later,
  )
}

function unansweredParts(
  { orders }: RequestedPayrollCancellation,
  { parts }: PayrollCancellation,
): readonly OrderCancellation[] {
  const byId = new Map(orders.map((order) => [order.id, order]))
  return parts.flatMap((part) => {
    const order = byId.get(part.paymentId)
    return part.status === 'REQUESTED' && order !== undefined && isAcknowledged(order) ? [{ part, order }] : []
  })
}
