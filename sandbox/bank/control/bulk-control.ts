/** Control API for the payments in bulks: list them, and set the status of one. */

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { formatAmount } from '../../../gateway/platform/money.ts'
import { ControlError } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import type { Context } from '../context.ts'
import { setBulkTransactionStatus } from '../payments/advance-bulk-transaction.ts'
import { type BulkTransaction, shownTransactionStatus } from '../payments/bulk-transaction.ts'
import { findBulkTransactions } from '../payments/bulk-transaction-store.ts'
import type { Payment } from '../payments/payment.ts'
import { findPaymentAtAnyBank } from '../payments/payment-store.ts'
import { TRANSACTION_STATUSES } from '../xs2a/transaction-status.ts'
import { withPayment } from './payment-control.ts'

const Id = Type.Object({ id: Type.String() })
const Place = Type.Object({ id: Type.String(), position: Type.String({ pattern: '^[0-9]{1,6}$' }) })
const StatusChange = Type.Object({
  transactionStatus: Type.Union(TRANSACTION_STATUSES.map((status) => Type.Literal(status))),
})

export function bulkControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  scope.get<{ Params: Static<typeof Id> }>(
    '/payments/:id/elements',
    { schema: { params: Id } },
    async ({ params }) => await listElements(context, params.id),
  )
  scope.post<{ Params: Static<typeof Place>; Body: Static<typeof StatusChange> }>(
    '/payments/:id/elements/:position/status',
    { schema: { params: Place, body: StatusChange } },
    async ({ params, body }) => await setStatus(context, sweep, { ...params, status: body.transactionStatus }),
  )
}

async function listElements({ database }: Context, id: string): Promise<readonly object[]> {
  const bulk = await findPaymentAtAnyBank(database.query, id)
  if (bulk === undefined) {
    throw new ControlError(404, 'The bank has no such payment')
  }
  return (await findBulkTransactions(database.query, id)).map((element) => describe(bulk, element))
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
  { id, position, status }: Static<typeof Place> & { readonly status: (typeof TRANSACTION_STATUSES)[number] },
): Promise<object> {
  const at = context.clock.now()
  return await withPayment(context, sweep, id, async (transaction, bulk) => {
    const element = (await findBulkTransactions(transaction, bulk.id))[Number(position)]
    if (element === undefined) {
      throw new ControlError(404, 'The bulk has no payment with this index')
    }
    if (element.status === null) {
      throw new ControlError(
        409,
        `The bulk is ${bulk.status}: its payments have a status of their own once it is booked`,
      )
    }
    return await setBulkTransactionStatus(transaction, bulk, element, { status, at })
  })
}
