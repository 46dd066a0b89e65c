/** Every query on quotes. */
import type { Insertable, Selectable } from 'kysely'
import type { BooksTransaction } from '../provider-context.ts'
import type { QuoteTable } from '../tables.ts'

export type Quote = Selectable<QuoteTable>

export async function insertQuote(books: BooksTransaction, quote: Insertable<QuoteTable>): Promise<Quote> {
  return await books.insertInto('quotes').values(quote).returningAll().executeTakeFirstOrThrow()
}

export async function findQuote(books: BooksTransaction, id: string): Promise<Quote | undefined> {
  return await books.selectFrom('quotes').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function useQuote(books: BooksTransaction, id: string): Promise<void> {
  await books.updateTable('quotes').set({ used: true }).where('id', '=', id).execute()
}
