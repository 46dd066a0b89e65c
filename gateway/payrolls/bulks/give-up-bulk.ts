/** Gives a bulk up as a whole: a sweep withdraws what its bank holds, and what turns up there later. */
import type { Context } from '../../context.ts'
import type { RowKey } from '../../foundation/due-rows.ts'
import { drawWhole } from '../../payments/payroll-order/placing-progress.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { forgetOpenRequest } from '../../platform/http/idempotency/idempotency-store.ts'
import { type BulkStanding, standingOfBulk, tellOfCarriedOut } from './bulk-order-states.ts'
import { type BulkState, changeBulk, failPayrollsOf, findBulk } from './bulk-store.ts'

const TEXT = 'It came in a bulk that was not taken as a whole'

/** The end of a bulk, and what there is of it. */
export type BulkEnd = { readonly state: BulkState; readonly standing: BulkStanding }

/**
 * Of one that is taken nothing changes. People are told of what is carried out all the same. Its key is free again once
 * nothing of it is carried out or may be.
 */
export async function giveUpBulk(context: Context, bulk: RowKey): Promise<BulkEnd> {
  const workAt = context.clock.now()
  await atomically(context.database, async (transaction) => {
    const move = { from: 'ordering', to: 'failing', workAt, leaseUntil: null } as const
    if (await changeBulk(transaction, bulk, move)) {
      for (const payrollId of await failPayrollsOf(transaction, bulk, { text: TEXT, workAt })) {
        await drawWhole(transaction, { partnerId: bulk.partnerId, payrollId }, workAt)
      }
    }
  })
  const state = (await findBulk(context.database, bulk))?.state ?? 'failed'
  const standing = await standingOfBulk(context, bulk)
  if (state !== 'taken') {
    await tellOfCarriedOut(context, bulk, standing)
    await freeKey(context, bulk, standing)
  }
  return { state, standing }
}

/** Whoever repeats the request may order anew, unless something of it is carried out or may be. */
export async function freeKey(
  { database }: Pick<Context, 'database'>,
  bulk: RowKey,
  { carriedOut, unknown }: Pick<BulkStanding, 'carriedOut' | 'unknown'>,
): Promise<void> {
  const kept = carriedOut.length + unknown.length === 0 ? await findBulk(database, bulk) : undefined
  if (kept !== undefined && kept.idempotencyOperation !== null && kept.idempotencyKey !== null) {
    const { idempotencyOperation: operation, idempotencyKey: key } = kept
    await forgetOpenRequest(database, { partnerId: bulk.partnerId, operation, key, subjectId: bulk.id })
  }
}
