/** Prepares connections for what is between us and PostgreSQL: nothing, or a pooler such as PgBouncer. */
import pg, { type ClientBase, type QueryConfig } from 'pg'

/**
 * `session`: settings and prepared statements of a connection last. `transaction`: the pooler may serve each transaction
 * by another connection of the server, so neither does. `transaction-prepared`: the pooler prepares our statements
 * there again (PgBouncer 1.21 or newer with `max_prepared_statements`). `detect`: `session` without a pooler, and
 * `transaction` through one.
 */
export type PoolMode = 'detect' | 'session' | 'transaction' | 'transaction-prepared'

/**
 * What every session needs. `statement_timeout` is the longest time for which one of our statements may hold a row lock.
 * A sequential scan that was planned while a table was small stays until the table is analysed, however large it has
 * become; an index serves small tables nearly as well (decision 0085). Tables without a usable index are scanned all
 * the same; PostgreSQL before release 18 estimates that as so expensive that it would JIT-compile them.
 */
export const SESSION_SETTINGS = { enable_seqscan: 'off', jit: 'off', statement_timeout: '15s' } as const

/** Statements that apply them to a connection. */
const SET_SESSION = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ')

/**
 * Stores the settings with the user of this connection, which a pooler in transaction mode needs; returns the statements.
 * Connections that the pooler has open already go on without them, this one apart.
 */
export async function storeSessionSettings(client: ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ database: string }>('select current_database() as database')
  const database = pg.escapeIdentifier(rows[0]?.database ?? '')
  const statements = Object.entries(SESSION_SETTINGS).map(
    ([name, value]) => `alter role current_user in database ${database} set ${name} = '${value}'`,
  )
  await client.query([...statements, SET_SESSION].join('; '))
  return statements
}

/** Before the first use of a connection. In transaction mode the settings are those of the user (decision 0120). */
export async function prepareConnection(client: ClientBase, poolMode: PoolMode): Promise<void> {
  const mode = await poolModeOf(client, poolMode)
  if (mode === 'session') {
    await client.query(SET_SESSION)
  } else if (mode === 'transaction') {
    withoutPreparedStatements(client)
  }
}

/** The mode of a connection, `detect` resolved. */
export async function poolModeOf(client: ClientBase, poolMode: PoolMode): Promise<Exclude<PoolMode, 'detect'>> {
  return poolMode !== 'detect' ? poolMode : (await isPooled(client)) ? 'transaction' : 'session'
}

/** A pooler gives its clients a cancellation key of its own, of which the server's process id is a part. */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return !('processID' in client) || client.processID !== rows[0]?.pid
}

/** The statement is planned at each execution: a name means another statement, or none, on another connection. */
function withoutPreparedStatements(client: ClientBase): void {
  const query = client.query.bind(client) as (...parameters: readonly unknown[]) => unknown
  client.query = ((statement: unknown, ...rest: readonly unknown[]) =>
    query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest)) as typeof client.query
}

/** Streams of COPY are submitted by themselves. */
function isNamed(statement: unknown): statement is QueryConfig {
  return typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
}
