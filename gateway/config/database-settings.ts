/** Reads how programs connect to PostgreSQL, directly or through a pooler. */
import type { PoolMode } from '../platform/database/pool-mode.ts'
import type { environmentReader } from './environment-reader.ts'

/** The database of gateways and workers. */
export type DatabaseConfig = {
  readonly databaseUrl: string
  readonly databaseConnectionsMax: number
  readonly databasePoolMode: PoolMode
  /** For LISTEN only, where `databaseUrl` is that of a pooler; null listens there. */
  readonly databaseListenUrl: string | null
  /** After this long without an answer to a statement its connection is ended. */
  readonly databaseAnswerTimeoutSeconds: number
}

const POOL_MODES = ['detect', 'session', 'transaction', 'transaction-prepared'] as const satisfies readonly PoolMode[]
const CONNECTIONS_RANGE = [1, 999_999_999] as const
/** By default longer than `statement_timeout`, by which a server that is alive ends a statement itself. */
const ANSWER_TIMEOUT = { seconds: 20, range: [1, 120] } as const

/** `names` are the variables, so that `config.ts` lists all of them. */
export function readDatabaseSettings(
  read: ReturnType<typeof environmentReader>,
  names: Readonly<Record<'url' | 'connectionsMax' | 'poolMode' | 'listenUrl' | 'answerTimeout', string>>,
  errors: string[],
): DatabaseConfig {
  const databaseUrl = read.required(names.url, 'the PostgreSQL URL, e.g. postgres://havn@localhost/havn')
  const listenUrl = read.text(names.listenUrl, '')
  if (listenUrl !== '' && !/^postgres(ql)?:$/.test(URL.parse(listenUrl)?.protocol ?? '')) {
    // The value may have a password.
    errors.push(`${names.listenUrl} must be a PostgreSQL URL, e.g. postgres://db.internal/havn`)
  }
  return {
    databaseUrl,
    databaseConnectionsMax: read.integer(names.connectionsMax, 10, CONNECTIONS_RANGE),
    databasePoolMode: read.oneOf(names.poolMode, POOL_MODES, 'detect'),
    databaseListenUrl: listenUrl === '' ? null : withLoginOf(databaseUrl, listenUrl),
    databaseAnswerTimeoutSeconds: read.integer(names.answerTimeout, ANSWER_TIMEOUT.seconds, ANSWER_TIMEOUT.range),
  }
}

/** A URL without a user has that of the database, so that a password is stored once. */
function withLoginOf(databaseUrl: string, listenUrl: string): string {
  const [database, listen] = [URL.parse(databaseUrl), URL.parse(listenUrl)]
  if (database === null || listen === null || listen.username !== '') {
    return listenUrl
  }
  listen.username = database.username
  listen.password = database.password
  return listen.href
}
