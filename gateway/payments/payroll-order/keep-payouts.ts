/** Keeps that a bank took payouts of a payroll, the ids under which it holds them, and what that makes of the whole. */
import type { PaymentInitiated } from '../../../contract/payments/payment-operations.ts'
import type { BulkTaken } from '../../banks/bulk-order.ts'
import type { DomesticOrder } from '../../banks/connector/domestic-order.ts'
import type { Context } from '../../context.ts'
import { keepAtLength } from '../../foundation/keep-at-length.ts'
import type { PayrollKey } from '../../orders/payroll/payroll-order.ts'
import { settleWhole } from '../../orders/payroll/payroll-status-store.ts'
import { keepElementIds } from '../../orders/payroll/payroll-transaction-store.ts'
import type { Intent } from '../../orders/submission/submission.ts'
import { initiationStatements, type KeepAcceptance } from '../../orders/submission/submission-store.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { type AcceptanceTools, keepAcceptanceOf } from '../keep-acceptance.ts'

export type { KeepAcceptance } from '../../orders/submission/submission-store.ts'

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
