/** Queries on the payments out of a conversion or a balance. */
import { sql } from 'kysely'
import type { BooksTransaction } from '../context.ts'
import type { Payment } from '../tables.ts'

/** Payments out of a conversion, completed or not. */
export type PaidOut = {
  readonly paymentIds: readonly string[]
  readonly minor: bigint
  /** The amount that has reached its beneficiaries. */
  readonly completedMinor: bigint
}

export async function sumPaidOut(books: BooksTransaction, conversionId: string): Promise<PaidOut> {
  const rows = await books
    .selectFrom('payments')
    .selectAll()
    .where('conversion_id', '=', conversionId)
    .where('status', '!=', 'failed')
    .orderBy('position')
    .execute()
  const sumOf = (some: readonly Payment[]) => some.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
  return {
    paymentIds: rows.map(({ id }) => id),
    minor: sumOf(rows),
    completedMinor: sumOf(rows.filter(({ status }) => status === 'completed')),
  }
}

/** Makes payments due that waited for funds in a currency. */
export async function makePaymentsDue(books: BooksTransaction, currency: string, at: Temporal.Instant): Promise<void> {
  await sql`
    update payments set due_at = ${at.toString()}
    where currency = ${currency} and status = 'ready_to_send' and due_at is null`.execute(books)
}
