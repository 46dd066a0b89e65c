/** Finds a partner's payments by endToEndId, in a way that their index serves. */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Payment } from './payment.ts'

/** A condition on `payments`; the index of endToEndIds has the partner's id as text (decision 0085). */
export function hasEndToEndId({
  partnerId,
  endToEndId,
}: Pick<Payment, 'partnerId' | 'endToEndId'>): Expression<SqlBool> {
  return sql<SqlBool>`end_to_end_id = ${endToEndId} and partner_id::text = ${partnerId}`
}
