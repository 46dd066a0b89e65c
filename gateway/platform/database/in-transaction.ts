/** Carries out several statements as one. */
import type { Database } from './database.ts'

/** What a database and a transaction on it have in common. */
export type Queryable = Pick<Database<unknown>, 'query'>

/** All of it happens or nothing; inside a transaction it becomes part of that one. */
export async function atomically<Result>(
  { query }: Queryable,
  carryOut: (within: Queryable) => Promise<Result>,
): Promise<Result> {
  return query.isTransaction
    ? await carryOut({ query })
    : await query.transaction().execute((transaction) => carryOut({ query: transaction }))
}
