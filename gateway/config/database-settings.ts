/** Lists the settings of the connections to PostgreSQL, directly or through a pooler. */
import type { PoolMode } from '../platform/database/pool-mode.ts'
import { integer, oneOf, POSITIVE_NUMBERS, required, type SettingSource, text } from '../platform/setting.ts'

const POOL_MODES = ['detect', 'session', 'transaction', 'transaction-prepared'] as const satisfies readonly PoolMode[]
/** By default longer than `statement_timeout`, by which a server that is alive ends a statement itself. */
const ANSWER_TIMEOUT = { seconds: 20, range: [1, 120] } as const

const POSTGRES = /^postgres(ql)?:\/\//i

const given = required(
  { name: 'DATABASE_URL', meaning: 'PostgreSQL, for example `postgres://havn@localhost/havn`' },
  'the PostgreSQL URL, e.g. postgres://havn@localhost/havn',
)
const databaseUrl = {
  variables: [
    ...given.variables,
    {
      // Every command replaces it by the URL, before any other setting is read.
      name: 'HAVN_DATABASE_URL_FILE',
      byDefault: '',
      meaning: 'file with this URL, in place of `DATABASE_URL`, where secrets are files; every command reads it',
    },
  ],
  read: (source: SettingSource) => {
    const url = given.read(source)
    const error = url === '' ? undefined : databaseUrlError(url)
    if (error !== undefined) {
      source.reject(error)
    }
    return url
  },
}

/** What is wrong with the text of DATABASE_URL; of another text, a part would be taken for the name of a host. */
export function databaseUrlError(text: string): string | undefined {
  // It may have a password. With a socket and a user, it is no URL as browsers read one.
  return POSTGRES.test(text) ? undefined : 'DATABASE_URL must be a PostgreSQL URL, e.g. postgres://havn@localhost/havn'
}

export const DATABASE_SETTINGS = {
  databaseUrl,
  databaseConnectionsMax: integer(
    'HAVN_DATABASE_CONNECTIONS_MAX',
    10,
    'database connections of one process; in the sandbox at least 2',
    POSITIVE_NUMBERS,
  ),
  databasePoolMode: oneOf(
    'HAVN_DATABASE_POOL_MODE',
    'detect',
    POOL_MODES,
    'what a pooler such as PgBouncer does: `session`, `transaction`, or `transaction-prepared` where it prepares our statements again; `detect` is `session` without a pooler and `transaction` through one. See [operating/pgbouncer.md](operating/pgbouncer.md)',
  ),
  /** For LISTEN only, where `databaseUrl` is that of a pooler; null listens there. */
  databaseListenUrl: text(
    'HAVN_DATABASE_LISTEN_URL',
    '',
    'URL of PostgreSQL itself, where `DATABASE_URL` is that of a pooler: each worker listens there for what becomes due. User and password are those of `DATABASE_URL` unless it has its own',
    (given, source) => {
      if (given !== '' && !(POSTGRES.test(given) && URL.canParse(given))) {
        // The value may have a password.
        source.reject('HAVN_DATABASE_LISTEN_URL must be a PostgreSQL URL, e.g. postgres://db.internal/havn')
      }
      return given === '' ? null : withLoginOf(databaseUrl.read(source), given)
    },
  ),
  databaseAnswerTimeoutSeconds: integer(
    'HAVN_DATABASE_ANSWER_TIMEOUT_SECONDS',
    ANSWER_TIMEOUT.seconds,
    '1 to 120; after this long without an answer from the database a connection is ended, so that a database that is frozen or has moved is not waited for. A server that is alive ends a statement after 15 seconds itself. Also how long a request waits until what its bank answered is stored',
    ANSWER_TIMEOUT.range,
  ),
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
