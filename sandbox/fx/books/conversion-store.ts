/** Every query on conversions. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { BooksTransaction } from '../context.ts'
import type { Page } from '../protocol/pagination.ts'
import type { ConversionStatus, ConversionTable } from '../tables.ts'

export type Conversion = Selectable<ConversionTable>

/** Filters of a conversion list; an absent one does not filter. */
export type ConversionFilter = {
  readonly ids?: readonly string[] | undefined
  readonly requestId?: string | undefined
  readonly shortReference?: string | undefined
  readonly status?: string | undefined
  readonly buyCurrency?: string | undefined
  readonly sellCurrency?: string | undefined
  /** Both instants are included. */
  readonly createdFrom?: string | undefined
  readonly createdTo?: string | undefined
}

export async function insertConversion(books: BooksTransaction, row: Insertable<ConversionTable>): Promise<Conversion> {
  return await books.insertInto('conversions').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function findConversion(books: BooksTransaction, id: string): Promise<Conversion | undefined> {
  return await books.selectFrom('conversions').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function lockConversion(books: BooksTransaction, id: string): Promise<Conversion | undefined> {
  return await books.selectFrom('conversions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function isRequestUsed(books: BooksTransaction, requestId: string): Promise<boolean> {
  const found = await books
    .selectFrom('conversions')
    .select('id')
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return found !== undefined
}

export async function updateConversion(
  books: BooksTransaction,
  { id }: Pick<Conversion, 'id'>,
  change: Updateable<ConversionTable>,
): Promise<Conversion> {
  return await books
    .updateTable('conversions')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The conversion with this reference; `text` is in capitals and without separators. */
export async function findConversionByReference(
  books: BooksTransaction,
  { currency, text }: { readonly currency: string; readonly text: string },
): Promise<Conversion | undefined> {
  return await books
    .selectFrom('conversions')
    .selectAll()
    .where('sell_currency', '=', currency)
    .where(sql<boolean>`exists (select from unnest(names) as name where position(name in ${text}) > 0)`)
    .orderBy('position', 'desc')
    .executeTakeFirst()
}

/** The oldest conversion without a reference of its client that awaits exactly this amount. */
export async function findUnreferencedConversion(
  books: BooksTransaction,
  { currency, minor }: { readonly currency: string; readonly minor: bigint },
): Promise<Conversion | undefined> {
  return await books
    .selectFrom('conversions')
    .selectAll()
    .where('status', '=', 'awaiting_funds')
    .where('sell_currency', '=', currency)
    .where('sell_minor', '=', minor)
    .where(sql<boolean>`cardinality(names) = 0`)
    .orderBy('position')
    .executeTakeFirst()
}

export async function findConversions(
  books: BooksTransaction,
  filter: ConversionFilter,
  { number, size, isDescending }: Page,
): Promise<{ readonly rows: readonly Conversion[]; readonly total: number }> {
  let matching = books.selectFrom('conversions')
  for (const [column, value] of columnsOf(filter)) {
    matching = matching.where(column, '=', value)
  }
  const { createdFrom, createdTo } = filter
  if (createdFrom !== undefined) {
    matching = matching.where(sql<boolean>`created_at >= ${createdFrom}::timestamptz`)
  }
  if (createdTo !== undefined) {
    matching = matching.where(sql<boolean>`created_at <= ${createdTo}::timestamptz`)
  }
  if (filter.ids !== undefined) {
    matching = matching.where('id', 'in', [...filter.ids])
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

/** Cancelled conversions, which have a loss; only one where its id is given. */
export async function cancelledConversions(
  books: BooksTransaction,
  conversionId: string | undefined,
): Promise<readonly Conversion[]> {
  let cancelled = books.selectFrom('conversions').selectAll().where('loss_minor', 'is not', null)
  if (conversionId !== undefined) {
    cancelled = cancelled.where('id', '=', conversionId)
  }
  return await cancelled.orderBy('position').execute()
}

type FilterColumn = 'request_id' | 'short_reference' | 'status' | 'buy_currency' | 'sell_currency'

function columnsOf(filter: ConversionFilter): readonly (readonly [FilterColumn, ConversionStatus | string])[] {
  const wanted: readonly (readonly [FilterColumn, string | undefined])[] = [
    ['request_id', filter.requestId],
    ['short_reference', filter.shortReference],
    ['status', filter.status],
    ['buy_currency', filter.buyCurrency],
    ['sell_currency', filter.sellCurrency],
  ]
  return wanted.flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]))
}
