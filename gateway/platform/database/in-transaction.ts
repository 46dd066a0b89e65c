/** Executes statements: a prepared one, or several in one transaction. */
import { hash } from 'node:crypto'
import { CompiledQuery, type QueryExecutorProvider, type QueryResult } from 'kysely'
import type { Database } from './database.ts'

/** The common interface of a database and a transaction on it. */
export type Queryable = Pick<Database<unknown>, 'query'>

/**
 * Commits all of the work or none of it; inside a transaction it becomes part of that one. The work gets the same
 * context on the connection of the transaction, of which the pool is no part: using it there throws.
 */
export async function inTransaction<Context extends { readonly database: Queryable }, Result>(
  context: Context,
  carryOut: (context: Context) => Promise<Result>,
): Promise<Result> {
  const { query } = context.database
  if (query.isTransaction) {
    return await carryOut(context)
  }
  return await query.transaction().execute((transaction) => {
    const database: Database<unknown> = {
      query: transaction,
      get pool(): never {
        throw new Error('A statement of the pool would not be part of the transaction')
      },
      close: () => Promise.reject(new Error('A transaction does not close its database')),
    }
    return carryOut({ ...context, database })
  })
}

class RolledBack extends Error {}

/**
 * Commits the work if it returns true, and rolls it back if it returns false; returns which. Inside a transaction it
 * throws instead of returning false, since what came before must be rolled back as well.
 */
export async function allOrNothing<Context extends { readonly database: Queryable }>(
  context: Context,
  carryOut: (context: Context) => Promise<boolean>,
): Promise<boolean> {
  try {
    await inTransaction(context, async (within) => {
      if (!(await carryOut(within))) {
        throw new RolledBack()
      }
    })
    return true
  } catch (error) {
    if (error instanceof RolledBack && !context.database.query.isTransaction) {
      return false
    }
    throw error
  }
}

/** A database or a transaction, whatever its tables. */
type StatementExecutor = {
  readonly query: QueryExecutorProvider & { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }
}

/** Names by text; each statement of the code adds its few variants. */
const nameByText = new Map<string, string>()
const NAME_CHARACTERS = 32

/**
 * PostgreSQL parses and plans a statement without a name at each execution, which takes several times as long as
 * executing one that finds its rows by key (decision 0092). Each connection keeps the plan of each text: its variants
 * must be few, so lists are passed as arrays.
 */
export async function executePrepared<Row>(
  { query }: StatementExecutor,
  statement: { compile(executor: QueryExecutorProvider): CompiledQuery<Row> },
): Promise<QueryResult<Row>> {
  const { sql: text, parameters } = statement.compile(query)
  const name = nameByText.getOrInsertComputed(text, () => hash('sha256', text).slice(0, NAME_CHARACTERS))
  // Kysely passes the text on to pg, which takes a named one as well.
  const named = { name, text } as unknown as string
  return await query.executeQuery<Row>(CompiledQuery.raw(named, [...parameters]))
}
