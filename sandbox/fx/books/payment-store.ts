/** Every query on payments. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { BooksTransaction } from '../context.ts'
import type { Parameters } from '../protocol/operation-call.ts'
import type { Page } from '../protocol/pagination.ts'
import type { PaymentTable } from '../tables.ts'

export type Payment = Selectable<PaymentTable>

/** Payments out of a conversion, completed or not. */
export type PaidOut = {
  readonly paymentIds: readonly string[]
  readonly minor: bigint
  /** The amount that has reached its beneficiaries. */
  readonly completedMinor: bigint
}

export async function insertPayment(books: BooksTransaction, row: Insertable<PaymentTable>): Promise<Payment> {
  return await books.insertInto('payments').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function findPayment(books: BooksTransaction, id: string): Promise<Payment | undefined> {
  return await books.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function lockPayment(books: BooksTransaction, id: string): Promise<Payment | undefined> {
  return await books.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function isRequestUsed(books: BooksTransaction, requestId: string): Promise<boolean> {
  const found = await books.selectFrom('payments').select('id').where('request_id', '=', requestId).executeTakeFirst()
  return found !== undefined
}

export async function updatePayment(
  books: BooksTransaction,
  { id }: Pick<Payment, 'id'>,
  change: Updateable<PaymentTable>,
): Promise<Payment> {
  return await books.updateTable('payments').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
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
  await books
    .updateTable('payments')
    .set({ due_at: at.toString() })
    .where('currency', '=', currency)
    .where('status', '=', 'ready_to_send')
    .where('due_at', 'is', null)
    .execute()
}

export async function findPayments(
  books: BooksTransaction,
  parameters: Parameters,
  { number, size, isDescending }: Page,
): Promise<{ readonly rows: readonly Payment[]; readonly total: number }> {
  let matching = books.selectFrom('payments')
  for (const [parameter, column] of [
    ['unique_request_id', 'request_id'],
    ['conversion_id', 'conversion_id'],
    ['short_reference', 'short_reference'],
    ['beneficiary_id', 'beneficiary_id'],
    ['currency', 'currency'],
    ['reason', 'reason'],
  ] as const) {
    const value = parameters[parameter]
    matching = value === undefined ? matching : matching.where(column, '=', value)
  }
  const { status } = parameters
  if (status !== undefined) {
    matching = matching.where(sql<boolean>`status = ${status}`)
  }
  const { count } = await matching.select(({ fn }) => fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('position', isDescending ? 'desc' : 'asc')
    .offset((number - 1) * size)
    .limit(size)
    .execute()
  return { rows, total: Number(count) }
}
