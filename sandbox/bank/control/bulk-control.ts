/** Control API for the payments in bulks: list them, and set the status of one. */

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { formatAmount } from '../../../gateway/platform/money.ts'
import { ControlError, onPost, requireFound } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { findRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import { setBulkTransactionStatus } from '../payments/advance-bulk-transaction.ts'
import { type BulkTransaction, shownTransactionStatus } from '../payments/bulk-transaction.ts'
import { findBulkTransactions } from '../payments/bulk-transaction-store.ts'
import type { Payment } from '../payments/payment.ts'
import { TRANSACTION_STATUSES, type TransactionStatus } from '../xs2a/transaction-status.ts'
import { withPayment } from './payment-control.ts'

const StatusChange = Type.Object({
  transactionStatus: Type.Union(TRANSACTION_STATUSES.map((status) => Type.Literal(status))),
})

export function bulkControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  scope.get<{ Params: { id: string } }>('/payments/:id/elements', ({ params }) => listElements(context, params.id))
  onPost(scope, '/payments/:id/elements/:position/status', StatusChange, ({ transactionStatus: status }, params) =>
    setStatus(context, sweep, { ...params, status }),
  )
}

async function listElements(context: Context, id: string): Promise<readonly object[]> {
  const bulk = requireFound(await findRow(context, 'payments', { id }), 'The bank has no such payment')
  return (await findBulkTransactions(context, id)).map((element) => describe(bulk, element))
}

function describe(bulk: Payment, element: BulkTransaction): object {
  return {
    position: element.position,
    paymentId: element.id,
    /** Null while it has the bulk's status. */
    transactionStatus: element.status,
    /** The status for third parties, where they see one. */
    shownStatus: shownTransactionStatus(bulk, element),
    creditorAccount: element.creditor,
    creditorName: element.creditor_name,
    amount: formatAmount({ minor: element.amount_minor, currency: bulk.currency }),
    currency: bulk.currency,
    dueAt: element.due_at?.toString() ?? null,
    body: element.body,
  }
}

async function setStatus(
  context: Context,
  sweep: Sweep,
  { id, position, status }: { readonly id: string; readonly position: string; readonly status: TransactionStatus },
): Promise<object> {
  const at = context.clock.now()
  return await withPayment(context, sweep, id, async (context, bulk) => {
    const element = requireFound(
      (await findBulkTransactions(context, bulk.id))[Number(position)],
      'The bulk has no payment with this index',
    )
    if (element.status === null) {
      throw new ControlError(
        409,
        `The bulk is ${bulk.status}: its payments have a status of their own once it is booked`,
      )
    }
    await setBulkTransactionStatus(context, bulk, element, { status, at })
  })
}
