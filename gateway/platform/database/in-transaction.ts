/** Executes several statements in one transaction. */
import type { Database } from './database.ts'

/** The common interface of a database and a transaction on it. */
export type Queryable = Pick<Database<unknown>, 'query'>

/** Commits all of the work or none of it; inside a transaction it becomes part of that one. */
export async function inTransaction<Result>(
  { query }: Queryable,
  carryOut: (within: Queryable) => Promise<Result>,
): Promise<Result> {
  return query.isTransaction
    ? await carryOut({ query })
    : await query.transaction().execute((transaction) => carryOut({ query: transaction }))
}
