/** Every query on inbound funds. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { BooksTransaction } from '../context.ts'
import type { InboundFundsTable } from '../tables.ts'

export type InboundFunds = Selectable<InboundFundsTable>

/** Undefined when these funds were reported before. */
export async function insertInboundFunds(
  books: BooksTransaction,
  row: Insertable<InboundFundsTable>,
): Promise<InboundFunds | undefined> {
  return await books
    .insertInto('arrivals')
    .values(row)
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function findInboundFunds(books: BooksTransaction, id: string): Promise<InboundFunds | undefined> {
  return await books.selectFrom('arrivals').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether these funds were reported before. */
export async function isKnownInboundFunds(books: BooksTransaction, origin: string): Promise<boolean> {
  const found = await books.selectFrom('arrivals').select('id').where('origin', '=', origin).executeTakeFirst()
  return found !== undefined
}

export async function updateInboundFunds(
  books: BooksTransaction,
  { id }: Pick<InboundFunds, 'id'>,
  change: Updateable<InboundFundsTable>,
): Promise<InboundFunds> {
  return await books.updateTable('arrivals').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** The amount received for a conversion so far, in minor units of the sold currency. */
export async function sumReceivedFor(books: BooksTransaction, conversionId: string): Promise<bigint> {
  const rows = await books
    .selectFrom('arrivals')
    .select('amount_minor')
    .where('conversion_id', '=', conversionId)
    .where('status', '=', 'completed')
    .execute()
  return rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}

/** Shorter sequences may occur in any reference. */
const CHARACTERS_MIN = 8
const SEPARATORS = /[^A-Z0-9]/g

/** Codes are returned in capitals, as they are compared. */
export function referenceCodesIn(text: string): string[] {
  const words = text.toUpperCase().split(/[^A-Z0-9]+/)
  return words.filter((word) => word.length >= CHARACTERS_MIN && /[0-9]/.test(word) && /[A-Z]/.test(word))
}

/** Removes the blanks and hyphens with which a sender may have typed a reference. */
export function withoutSeparators(text: string): string {
  return text.toUpperCase().replace(SEPARATORS, '')
}
