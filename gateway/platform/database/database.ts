/** Opens PostgreSQL: one connection pool, and Kysely over it for the stores. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { connectionOptions, limitAnswerTime, reportUnavailabilityOfPool } from './connection-errors.ts'
import { type PoolMode, prepareConnection } from './pool-mode.ts'

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
  /** Connections that stay open without work, so that a request after a pause need not open one; none unless given. */
  readonly connectionsMin?: number
  /** First schema in the search path; `public` unless given. */
  readonly schema?: string
  /** What is between us and the server; `detect` unless given. */
  readonly poolMode?: PoolMode
  /** How long a statement may take until its connection is ended; `ANSWER_MILLISECONDS` unless given. */
  readonly answerMilliseconds?: number
}

/** Opens a pool; it connects at the first query. While there is no database, it throws `DatabaseUnavailable`. */
export function openDatabase<Tables>(settings: DatabaseSettings): Database<Tables> {
  const pool = new pg.Pool({
    connectionString: settings.connectionString,
    application_name: settings.applicationName,
    max: settings.connectionsMax,
    min: settings.connectionsMin ?? 0,
    ...connectionOptions(settings.answerMilliseconds),
    ...(settings.schema === undefined ? {} : { options: `-c search_path=${settings.schema}` }),
    onConnect: async (client) => {
      limitAnswerTime(client, settings.answerMilliseconds)
      await prepareConnection(client, settings.poolMode ?? 'detect')
    },
    types: { getTypeParser: parserOf },
  })
  reportUnavailabilityOfPool(pool)
  surviveLostConnections(pool)
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const close = async (): Promise<void> => {
    await query.destroy()
    // Kysely ends the pool only if it has run a statement; open connections would keep the program running.
    if (!pool.ending) {
      await pool.end()
    }
  }
  return { pool, query, close }
}

/**
 * A connection that the server closes is replaced at the next query, or fails the next statement of a transaction.
 * Without listeners its error would terminate the process, also while the pool ends, which does not wait until its
 * connections are closed.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
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
