/** Every query on money that was sent to the provider. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Books } from '../provider-context.ts'
import type { ArrivalTable } from '../tables.ts'

export type Arrival = Selectable<ArrivalTable>

/** Undefined when this money was told of before. */
export async function insertArrival(books: Books, row: Insertable<ArrivalTable>): Promise<Arrival | undefined> {
  return await books
    .insertInto('arrivals')
    .values(row)
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function findArrival(books: Books, id: string): Promise<Arrival | undefined> {
  return await books.selectFrom('arrivals').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether this money was told of before. */
export async function isKnownArrival(books: Books, origin: string): Promise<boolean> {
  const found = await books.selectFrom('arrivals').select('id').where('origin', '=', origin).executeTakeFirst()
  return found !== undefined
}

export async function updateArrival(
  books: Books,
  { id }: Pick<Arrival, 'id'>,
  change: Updateable<ArrivalTable>,
): Promise<Arrival> {
  return await books.updateTable('arrivals').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** What has arrived for a conversion so far, in minor units of the sold currency. */
export async function arrivedFor(books: Books, conversionId: string): Promise<bigint> {
  const rows = await books
    .selectFrom('arrivals')
    .select('amount_minor')
    .where('conversion_id', '=', conversionId)
    .where('status', '=', 'completed')
    .execute()
  return rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}
