/** Builds the SQL condition that finds a partner's payments by endToEndId through their index. */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Payment } from '../payment.ts'

/** The index on endToEndIds stores the partner's id as text (decision 0085). */
export function hasEndToEndId({
  partnerId,
  endToEndId,
}: Pick<Payment, 'partnerId' | 'endToEndId'>): Expression<SqlBool> {
  return sql<SqlBool>`end_to_end_id = ${endToEndId} and partner_id::text = ${partnerId}`
}
