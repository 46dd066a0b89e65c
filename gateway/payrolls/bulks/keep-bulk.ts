/** Keeps a bulk together with its key before a bank is asked for any of it, and that all of it was taken. */
import type { Bank } from '../../banks/directory/bank.ts'
import { callSecondsMax } from '../../banks/transport/call-seconds-max.ts'
import type { Context } from '../../context.ts'
import type { RowKey } from '../../foundation/due-rows.ts'
import type { IdempotentRequest } from '../../foundation/http/idempotency.ts'
import { atomically, type Queryable } from '../../platform/database/in-transaction.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { keepAnswerOf, keepBegunRequest } from '../../platform/http/idempotency/idempotency-store.ts'
import { newId } from '../../platform/ids.ts'
import { payrollConflictOf } from '../payroll-conflict.ts'
import { type BulkLook, changeBulk, holdOrdering, insertBulk } from './bulk-store.ts'

/** A payroll is handed over, or an approval begun, in fewer calls; whoever takes longer has its bulk given up. */
const CALLS_PER_STEP = 20

/** Throws `conflict` while another request under the same key is open. */
export async function keepBulk(
  context: Context,
  { partnerId }: { readonly partnerId: string },
  { bic }: Pick<Bank, 'bic'>,
  idempotent: IdempotentRequest | null,
): Promise<RowKey> {
  const id = newId()
  const begun = idempotent?.intentFor(id) ?? null
  const named = { idempotencyOperation: begun?.operation ?? null, idempotencyKey: begun?.key ?? null }
  const bulk = { partnerId, id, bic, state: 'ordering', createdAt: context.clock.now(), ...named } as const
  try {
    await atomically(context.database, async (transaction) => {
      await (begun && keepBegunRequest(transaction, begun))
      await insertBulk(transaction, bulk, nextLook(context))
    })
  } catch (error) {
    throw await payrollConflictOf(context, undefined, error)
  }
  return { partnerId, id }
}

/** Keeps sweeps away for another step. Throws 503 where one has given the bulk up. */
export async function goOnOrdering(context: Context, bulk: RowKey): Promise<void> {
  const move = { from: 'ordering', to: 'ordering', ...nextLook(context) } as const
  if (!(await changeBulk(context.database, bulk, move))) {
    throw givenUp()
  }
}

/** Within the transaction that adds to a bulk: whatever is given up has nothing added to it. Throws 503. */
export async function requireOrdering(transaction: Queryable, bulk: RowKey): Promise<void> {
  if (!(await holdOrdering(transaction, bulk))) {
    throw givenUp()
  }
}

/** Within the transaction that keeps the approval over all of it: the bulk is taken, and this is the answer of its key. */
export async function noteBulkTaken(
  transaction: Queryable,
  bulk: RowKey,
  idempotent: IdempotentRequest | null,
  answer: unknown,
): Promise<void> {
  if (!(await changeBulk(transaction, bulk, { from: 'ordering', to: 'taken', workAt: null, leaseUntil: null }))) {
    throw givenUp()
  }
  await (idempotent && keepAnswerOf(transaction, idempotent.answerOf(answer)))
}

function nextLook({ clock, config }: Context): BulkLook & { readonly workAt: Temporal.Instant } {
  const seconds = CALLS_PER_STEP * callSecondsMax(config)
  return { workAt: clock.now().add({ seconds }), leaseUntil: clock.real().add({ seconds }) }
}

function givenUp(): Error {
  return refuse(
    'unavailable',
    'Ordering the bulk took too long, so it was cancelled: nothing of it is carried out, and it may be sent again',
  )
}
