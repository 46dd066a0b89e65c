/** Executes a statement of a store as a prepared one, also within a transaction. */
import { createHash } from 'node:crypto'
import { CompiledQuery, type QueryExecutorProvider, type QueryResult } from 'kysely'

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
  // Kysely passes the text on to pg, which takes a named one as well.
  const named = { name: nameOf(text), text } as unknown as string
  return await query.executeQuery<Row>(CompiledQuery.raw(named, [...parameters]))
}

function nameOf(text: string): string {
  return nameByText.getOrInsertComputed(text, () =>
    createHash('sha256').update(text).digest('hex').slice(0, NAME_CHARACTERS),
  )
}
