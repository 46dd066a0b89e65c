/** Marks an order that goes in a file as its bank's to decide upon: nobody is asked, so nothing about it can be unknown. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { type PaymentKey, paymentTables } from '../payment-store.ts'
import { bulkIdOf } from './payroll-order.ts'

/** In the transaction that keeps the order; what its bank knows it by is ours. */
export async function markQueued(transaction: Queryable, { partnerId, id }: PaymentKey): Promise<string> {
  const messageId = bulkIdOf(id)
  await paymentTables(transaction)
    .updateTable('payments')
    .set({ outcome: 'known', bank_payment_id: messageId, recover_at: null, poll_at: sql`null` })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
  return messageId
}
