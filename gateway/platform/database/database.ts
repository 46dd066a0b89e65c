/** Opens PostgreSQL: one connection pool, and Kysely over it for the stores. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

/** A pool and the typed query builder over it; `Tables` lists the row types of its stores. */
export type Database<Tables> = {
  readonly pool: pg.Pool
  readonly query: Kysely<Tables>
  close(): Promise<void>
}

/** How to connect to a database. */
export type DatabaseSettings = {
  readonly connectionString: string
  /** Shown in `pg_stat_activity`, so that an operator sees which program owns a connection. */
  readonly applicationName: string
  readonly connectionsMax: number
  /** First schema in the search path; `public` unless given. */
  readonly schema?: string
}

const CONNECT_TIMEOUT_MILLISECONDS = 5_000
/** The longest time for which one of our statements may hold a row lock. */
const STATEMENT_TIMEOUT_MILLISECONDS = 15_000
/**
 * Plans are made once per connection. A sequential scan that was planned while the table was small stays until the
 * table is analysed, however large it has become; an index serves small tables nearly as well (decision 0085). Tables
 * without a usable index are scanned all the same; PostgreSQL before release 18 estimates that as so expensive that it
 * would JIT-compile them.
 */
const PLANNING = 'set enable_seqscan = off; set jit = off'

/** Opens a pool; it connects at the first query. */
export function openDatabase<Tables>(settings: DatabaseSettings): Database<Tables> {
  const pool = new pg.Pool({
    connectionString: settings.connectionString,
    application_name: settings.applicationName,
    max: settings.connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
    statement_timeout: STATEMENT_TIMEOUT_MILLISECONDS,
    ...(settings.schema === undefined ? {} : { options: `-c search_path=${settings.schema}` }),
    onConnect: async (client) => {
      await client.query(PLANNING)
    },
    types: { getTypeParser: parserOf },
  })
  // A connection that the server closes is replaced at the next query, or fails the next statement of a transaction;
  // without listeners its error would terminate the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { pool, query, close: () => query.destroy() }
}

const { builtins, getTypeParser } = pg.types

/** Money columns are `bigint`, instants are `Temporal.Instant`, dates are `Temporal.PlainDate`: never a `Date`. */
function parserOf(typeId: number, format?: 'text' | 'binary'): (text: string) => unknown {
  switch (typeId) {
    case builtins.INT8:
      return BigInt
    case builtins.TIMESTAMPTZ:
      return (text) => Temporal.Instant.from(text)
    case builtins.DATE:
      return (text) => Temporal.PlainDate.from(text)
    default:
      return format === 'binary' ? getTypeParser(typeId, 'binary') : getTypeParser(typeId, 'text')
  }
}
