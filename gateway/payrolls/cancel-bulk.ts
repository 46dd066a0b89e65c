/** Cancels a whole bulk, follows it until its payrolls have ended, and reports which of them the bank executes nevertheless. */

import type { PayrollBulkInitiated, PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import type { Context } from '../context.ts'
import { paymentTask, raiseTask, resolveTaskAutomatically, wasTaskRaised } from '../operators/raise-task.ts'
import { listPayrollOrders } from '../orders/find-orders.ts'
import { hasEndedUnpaid, isAcknowledged, isOutcomeUnknown, type PayrollPayment, permits } from '../orders/payment.ts'
import { refreshPayrollStatus } from '../orders/status/record-transaction-statuses.ts'
import {
  type BulkState,
  changeBulkState,
  DUE_BULKS,
  failPayrollsOfBulk,
  findBulk,
  listPayrollsOfBulk,
} from '../orders/store/bulk-store.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { ApiError, apiError, InvalidRequestError, outcomeUnknown } from '../platform/http/errors/api-error.ts'
import { deleteOpenRequest } from '../platform/http/idempotency/idempotency-store.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'
import { dueRowSweep } from '../platform/jobs/due-row-sweep.ts'
import { nextAttemptAt } from '../platform/jobs/retry-backoff.ts'
import type { Sweep } from '../platform/jobs/sweep.ts'

const BULK_CANCELLED = 'The bulk that it belongs to was cancelled, because not all of the bulk was accepted'

/** The resulting state of a bulk and of its orders. */
export type BulkCancellation = { readonly state: BulkState; readonly orderStates: BulkOrderStates }

/**
 * A bulk in state `submitted` does not change. Raises operator tasks for orders that are executed nevertheless.
 * Releases the idempotency key once no order is executed or may be.
 */
export async function cancelBulk(context: Context, bulk: RowKey): Promise<BulkCancellation> {
  const nextRunAt = context.clock.now()
  await inTransaction(context, async (context) => {
    const move = { from: 'submitting', to: 'failing', nextRunAt, leaseUntil: null } as const
    if (await changeBulkState(context.database, bulk, move)) {
      for (const payrollId of await failPayrollsOfBulk(context.database, bulk, { text: BULK_CANCELLED, nextRunAt })) {
        await refreshPayrollStatus(context.database, { partnerId: bulk.partnerId, payrollId }, nextRunAt)
      }
    }
  })
  const state = (await findBulk(context.database, bulk))?.state ?? 'failed'
  const orderStates = await findBulkOrderStates(context, bulk)
  if (state !== 'submitted') {
    await raiseCarriedOutTasks(context, bulk, orderStates)
    await releaseIdempotencyKey(context, bulk, orderStates)
  }
  return { state, orderStates }
}

/** A repeated request may order the bulk again, unless an order of it is executed or may be. */
export async function releaseIdempotencyKey(
  { database }: Context,
  bulk: RowKey,
  { carriedOut, unknown }: Pick<BulkOrderStates, 'carriedOut' | 'unknown'>,
): Promise<void> {
  const bulkRow = carriedOut.length + unknown.length === 0 ? await findBulk(database, bulk) : undefined
  if (bulkRow !== undefined && bulkRow.idempotencyOperation !== null && bulkRow.idempotencyKey !== null) {
    const { idempotencyOperation: operation, idempotencyKey: key } = bulkRow
    await deleteOpenRequest(database, { partnerId: bulk.partnerId, operation, key, subjectId: bulk.id })
  }
}

type OrderInBulk = { readonly payrollId: string; readonly order: PayrollPayment }

/** Ordering the bulk again may pay `carriedOut` and `unknown` orders twice. */
type BulkOrderStates = {
  /** Orders that the bank executes or has executed: they were SCA-exempt, or a user has signed them. */
  readonly carriedOut: readonly OrderInBulk[]
  /** Orders of which it is unknown whether the bank accepted them. */
  readonly unknown: readonly OrderInBulk[]
  /** Orders that have ended without payment. */
  readonly ended: readonly OrderInBulk[]
  /** How many payrolls are still being cancelled. */
  readonly open: number
}

async function findBulkOrderStates(context: Context, bulk: RowKey): Promise<BulkOrderStates> {
  const payrolls = await listPayrollsOfBulk(context.database, bulk)
  const orders: OrderInBulk[] = []
  for (const { id: payrollId } of payrolls) {
    const found = await listPayrollOrders(context, { partnerId: bulk.partnerId, payrollId })
    orders.push(...found.map((order) => ({ payrollId, order })))
  }
  return {
    carriedOut: orders.filter(({ order }) => isCarriedOut(order)),
    unknown: orders.filter(({ order }) => isOutcomeUnknown(order)),
    ended: orders.filter(({ order }) => hasEndedUnpaid(order)),
    open: payrolls.filter(({ isOver }) => !isOver).length,
  }
}

function isCarriedOut(order: PayrollPayment): boolean {
  return (
    isAcknowledged(order) &&
    !hasEndedUnpaid(order) &&
    order.cancellationAcceptedAt === null &&
    !permits(order, 'withdraw')
  )
}

/** Raises one task per order, and none again after it is resolved; resolves the tasks of orders that have ended since. */
async function raiseCarriedOutTasks(
  context: Context,
  { id: bulkId }: RowKey,
  { carriedOut, ended }: Pick<BulkOrderStates, 'carriedOut' | 'ended'>,
): Promise<void> {
  for (const { payrollId, order } of carriedOut) {
    const task = paymentTask(order, 'BulkCarriedOutInPart')
    if (!(await wasTaskRaised(context, task))) {
      const { bic: bank, bankPaymentId } = order
      const detail = { bank, bankPaymentId, bulkId, payrollId, dueDate: order.dueDate.toString(), status: order.status }
      await raiseTask(context, { ...task, detail })
    }
  }
  for (const { order } of ended) {
    const task = paymentTask(order, 'BulkCarriedOutInPart')
    await resolveTaskAutomatically(context, task, `the bank reports the order as ${order.status}`)
  }
}

/** A bulk whose ordering failed. */
type InterruptedBulk = {
  readonly bulk: RowKey
  /** Those that the bank has accepted, in request order. */
  readonly payrolls: readonly PayrollInitiated[]
  /** The response that was stored with the approval; undefined if no approval was started. */
  readonly response: PayrollBulkInitiated | undefined
  readonly error: unknown
}

/** Returns the stored response if the approval had been stored. Otherwise throws the error that ended the bulk, or which payroll may be paid. */
export async function failBulk(context: Context, interrupted: InterruptedBulk): Promise<PayrollBulkInitiated> {
  const { bulk, response, error } = interrupted
  const cancellation = await cancelBulk(context, bulk).catch((failure: unknown) => {
    context.log.error(
      { bulkId: bulk.id, error: failure, cause: error },
      'cancelling a bulk failed; the sweep retries it',
    )
    return undefined
  })
  if (cancellation === undefined) {
    throw pendingCancellationError(interrupted)
  }
  if (cancellation.state === 'submitted' && response !== undefined) {
    context.log.error(
      { bulkId: bulk.id, error },
      'processing a bulk failed after its approval was stored; a sweep completes it',
    )
    return response
  }
  throw bulkFailureError(cancellation, interrupted)
}

/** The sweep cancels the bulk. If the bank accepted nothing and every outcome is known, the original error suffices. */
function pendingCancellationError({ payrolls, error }: InterruptedBulk): unknown {
  const unknown = error instanceof ApiError ? error.extras.payrollId : undefined
  const payrollId = payrolls[0]?.payrollId ?? unknown
  const detail =
    'the bulk was not accepted completely, and its accepted payrolls are cancelled at the bank within the hour. Do not ' +
    'order it again before its payrolls have ended'
  return payrollId === undefined ? error : outcomeUnknown({ payrollId }, detail)
}

/** A partner that orders the bulk again must know what would be paid twice. */
function bulkFailureError(
  { orderStates: { carriedOut, unknown } }: BulkCancellation,
  { payrolls, error }: InterruptedBulk,
): unknown {
  const [paid] = carriedOut
  if (paid !== undefined && error instanceof InvalidRequestError) {
    const errors = carriedOut.map(({ payrollId }) => {
      const n = payrolls.findIndex((payroll) => payroll.payrollId === payrollId)
      const reason = `is executed by the bank without a signature, as payroll ${payrollId}; do not order it again`
      return { code: 'InvalidRequest', reason, path: n < 0 ? '.payrolls' : `.payrolls[${n}]` } as const
    })
    return new InvalidRequestError([...error.validationErrors, ...errors])
  }
  if (paid !== undefined) {
    const message =
      'The bulk was not accepted completely, but the bank executes the payroll with this payrollId, which needs no ' +
      'signature. Do not order that payroll again'
    return apiError('conflict', message, { payrollId: paid.payrollId })
  }
  const [unresolved] = unknown
  if (unresolved !== undefined) {
    const detail =
      'the bulk was cancelled, and its accepted payrolls are cancelled at the bank. Do not order it again before the ' +
      'payroll with this payrollId has ended'
    return outcomeUnknown({ payrollId: unresolved.payrollId }, detail)
  }
  return error
}

/** No bank is called here, so a short lease is enough. */
const LEASE_SECONDS = 60
const POLL_AGAIN_AFTER = { leastSeconds: 30, mostSeconds: 3600 }

export function bulkSweep(context: Context): Sweep {
  return dueRowSweep(context, { ...DUE_BULKS, leaseSeconds: LEASE_SECONDS }, (key) => maintainBulk(context, key))
}

/** The payroll sweep cancels the payrolls of the bulk. */
async function maintainBulk(context: Context, key: RowKey): Promise<void> {
  const bulk = await findBulk(context.database, key)
  if (bulk?.state === 'submitting') {
    await cancelBulk(context, key)
  } else if (bulk?.state === 'failing') {
    const states = await findBulkOrderStates(context, key)
    await raiseCarriedOutTasks(context, key, states)
    const isOver = states.open === 0
    if (isOver) {
      await releaseIdempotencyKey(context, key, states)
    }
    const nextRunAt = isOver ? null : nextAttemptAt(bulk.createdAt, context.clock.now(), POLL_AGAIN_AFTER)
    const to = isOver ? 'failed' : 'failing'
    await changeBulkState(context.database, key, { from: 'failing', to, nextRunAt, leaseUntil: null })
  }
}
