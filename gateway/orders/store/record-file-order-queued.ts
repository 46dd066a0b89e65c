/** Marks an order in a file as acknowledged: the bank is not called for it, so its outcome cannot be unknown. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { bulkIdOf } from '../payroll-order.ts'
import { type PaymentKey, paymentTables } from './payment-store.ts'

/** Runs in the transaction that stores the order; returns the id that Havn assigns for the bank. */
export async function recordFileOrderQueued(transaction: Queryable, { partnerId, id }: PaymentKey): Promise<string> {
  const messageId = bulkIdOf(id)
  await paymentTables(transaction)
    .updateTable('payments')
    .set({ outcome: 'known', bank_payment_id: messageId, recover_at: null, poll_at: sql`null` })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
  return messageId
}
