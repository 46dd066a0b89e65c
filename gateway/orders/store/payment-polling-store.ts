/** Holds the query for payments that are polled at their banks. */
import type { Database } from '../../platform/database/database.ts'
import { paymentTables } from './payment-store.ts'

/** Whether any payment under a consent is still polled; uses the index of polled payments by bank. */
export async function existsPolledPayment(
  database: Database<unknown>,
  consent: { readonly partnerId: string; readonly id: string; readonly bic: string },
): Promise<boolean> {
  const found = await paymentTables(database)
    .selectFrom('payments')
    .select('id')
    .where('bic', '=', consent.bic)
    .where('poll_at', 'is not', null)
    .where('partner_id', '=', consent.partnerId)
    .where('consent_id', '=', consent.id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
