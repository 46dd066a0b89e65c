/** Every query on holds: while an approval is being begun, no other one of the same payments is. */
import { type ColumnType, type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Approval } from './approval.ts'

type Tables = {
  approval_holds: {
    partner_id: string
    payment_id: string
    approval_id: string
    held_until: ColumnType<Temporal.Instant, string, string>
  }
}

/** What holds which payments. */
export type Holder = Pick<Approval, 'partnerId' | 'id'>

/** Holds all of the payments, or none and answers false. A hold that has lapsed is taken over. */
export async function holdPayments(
  { query }: Database<unknown>,
  holder: Holder,
  paymentIds: readonly string[],
  times: { readonly real: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<boolean> {
  const rows = paymentIds.toSorted().map((paymentId) => ({
    partner_id: holder.partnerId,
    payment_id: paymentId,
    approval_id: holder.id,
    held_until: times.until.toString(),
  }))
  const held = await query
    .withTables<Tables>()
    .insertInto('approval_holds')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'payment_id'])
        .doUpdateSet({ approval_id: holder.id, held_until: times.until.toString() })
        .where(sql<boolean>`approval_holds.held_until < ${times.real.toString()}`),
    )
    .returning('payment_id')
    .execute()
  if (held.length < rows.length) {
    await freePayments(query, holder)
  }
  return held.length === rows.length
}

/** Lets go of what an approval still holds, and says of how many payments. */
export async function freePayments(
  database: Kysely<unknown> | Transaction<unknown>,
  { partnerId, id }: Holder,
): Promise<number> {
  const { numDeletedRows } = await database
    .withTables<Tables>()
    .deleteFrom('approval_holds')
    .where('partner_id', '=', partnerId)
    .where('approval_id', '=', id)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
