/** Keeps that a bank took payouts of a payroll, the ids under which it holds them, and what that makes of the whole. */
import type { PaymentInitiated } from '../../../contract/payments.ts'
import type { BulkTaken } from '../../banks/bulk-order.ts'
import type { DomesticOrder } from '../../banks/domestic-order.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../foundation/database/atomically.ts'
import { keepAtLength } from '../../foundation/keep-at-length.ts'
import { initiationStatements, type KeepAcceptance } from '../initiation-store.ts'
import type { Intent } from '../intent.ts'
import { type AcceptanceTools, keepAcceptanceOf } from '../keep-acceptance.ts'
import { keepElementIds } from './element-store.ts'
import type { PayrollKey } from './payroll-order.ts'
import { settleWhole } from './whole-store.ts'

export type { KeepAcceptance } from '../initiation-store.ts'

/** Makes the statement of a process that keeps acceptances. */
export function acceptanceKeeper({ database }: Pick<Context, 'database'>): KeepAcceptance {
  return initiationStatements(database).keepAcceptance
}

/** What the bank took; positions count from `first`. */
export type PayoutsTaken = {
  readonly intent: Intent<Pick<DomesticOrder, 'dueDate'>> & PayrollKey
  readonly first: number
  readonly taken: BulkTaken
}

/**
 * Throws as `keepAcceptanceOf` does: the bank holds the order and we know it from then on. What of the rest cannot be kept
 * is drawn from the first reading.
 */
export async function keepPayoutsTaken(
  context: Context,
  { intent, first, taken }: PayoutsTaken,
  tools: AcceptanceTools,
): Promise<PaymentInitiated> {
  const initiated = await keepAcceptanceOf(context, intent, taken, tools)
  const { elementIds } = taken
  if (elementIds !== undefined || initiated.paymentStatus.status !== 'Unsigned') {
    const keep = async () =>
      await atomically(context.database, async (transaction) => {
        await (elementIds && keepElementIds(transaction, intent, first, elementIds))
        await settleWhole(transaction, intent, context.clock.now())
      })
    await keepAtLength(context.log, keep).catch((error: unknown) => {
      context.log.error({ paymentId: intent.paymentId, error }, 'what a bank told of the payouts could not be kept')
    })
  }
  return initiated
}
