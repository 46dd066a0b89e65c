/** Stores a bulk of payrolls with its idempotency key before any call to the bank, extends its lease, records its acceptance. */
import type { Bank } from '../banks/connector/bank.ts'
import { callSecondsMax } from '../banks/transport/bank-call-limits.ts'
import type { Context } from '../context.ts'
import { type BulkSchedule, changeBulkState, insertBulk } from '../orders/store/bulk-store.ts'
import { bulkTimeoutError } from '../orders/submit/store-payroll.ts'
import { conflictErrorOf } from '../orders/submit/submission.ts'
import { inTransaction, type Queryable } from '../platform/database/in-transaction.ts'
import type { IdempotentRequest } from '../platform/http/idempotency/idempotency.ts'
import { insertOpenRequest, updateWithAnswer } from '../platform/http/idempotency/idempotency-store.ts'
import { newId } from '../platform/ids.ts'
import type { RowKey } from '../platform/jobs/due-row-scan.ts'

/** Submitting a payroll or starting an approval takes fewer calls; a bulk whose step takes longer is cancelled by the sweep. */
const CALLS_PER_STEP = 20

/** Throws `conflict` while another request under the same key is open. */
export async function createBulk(
  context: Context,
  { partnerId }: { readonly partnerId: string },
  { bic }: Pick<Bank, 'bic'>,
  idempotent: IdempotentRequest | null,
): Promise<RowKey> {
  const id = newId()
  const begun = idempotent?.startRowFor(id) ?? null
  const idempotency = { idempotencyOperation: begun?.operation ?? null, idempotencyKey: begun?.key ?? null }
  const bulk = { partnerId, id, bic, state: 'submitting', createdAt: context.clock.now(), ...idempotency } as const
  try {
    await inTransaction(context, async (context) => {
      await (begun && insertOpenRequest(context.database, begun))
      await insertBulk(context.database, bulk, nextBulkSchedule(context))
    })
  } catch (error) {
    throw await conflictErrorOf(context, error)
  }
  return { partnerId, id }
}

/** Extends the lease by one step. Throws 503 if a sweep has cancelled the bulk. */
export async function extendBulkLease(context: Context, bulk: RowKey): Promise<void> {
  const move = { from: 'submitting', to: 'submitting', ...nextBulkSchedule(context) } as const
  if (!(await changeBulkState(context.database, bulk, move))) {
    throw bulkTimeoutError()
  }
}

/** In the transaction that stores the approval: marks the bulk as accepted and stores the response of its idempotency key. */
export async function recordBulkAccepted(
  transaction: Queryable,
  bulk: RowKey,
  idempotent: IdempotentRequest | null,
  answer: unknown,
): Promise<void> {
  if (
    !(await changeBulkState(transaction, bulk, {
      from: 'submitting',
      to: 'submitted',
      nextRunAt: null,
      leaseUntil: null,
    }))
  ) {
    throw bulkTimeoutError()
  }
  await (idempotent && updateWithAnswer(transaction, idempotent.answerOf(answer)))
}

function nextBulkSchedule({ clock, config }: Context): BulkSchedule & { readonly nextRunAt: Temporal.Instant } {
  const seconds = CALLS_PER_STEP * callSecondsMax(config)
  return { nextRunAt: clock.now().add({ seconds }), leaseUntil: clock.real().add({ seconds }) }
}
