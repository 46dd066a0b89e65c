/** Distinguishes errors that mean that the database is away – of PostgreSQL, poolers and connections – from all others. */

/** The database cannot be reached, or cannot execute statements at the moment. Whether this one was executed is unknown. */
export class DatabaseUnavailable extends Error {
  constructor(cause: Error) {
    super(`The database is not available: ${cause.message}`, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/** The error for a database that has not answered in time. */
export function noAnswerWithin(milliseconds: number): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error(`no answer within ${milliseconds} milliseconds`))
}

/**
 * SQLSTATEs: connection exceptions, insufficient resources, a server that stops, starts or has crashed, a statement that
 * was cancelled because it took too long, a standby or a read-only primary, a transaction that took too long, and errors
 * of its disk. In the isolation level of our transactions, 40001 means that what a standby replays needs the rows of a
 * statement.
 */
const TEMPORARY_SQLSTATE = /^(08...|40001|53...|57P0[1-5]|57014|25006|25P0[34]|58...)$/
const LOCK_NOT_AVAILABLE = '55P03'
export const DEADLOCK = '40P01'
/** Of a statement that was cancelled. */
const STATEMENT_TIMEOUT = '57014'
/** With which PgBouncer reports whatever it has to say, and PostgreSQL malformed messages. */
const PROTOCOL_VIOLATION = '08P01'
/**
 * The first line are the words of PostgreSQL about a message, and of PgBouncer about prepared statements; the others
 * reject a login. All else that PgBouncer says can end: where its server stops just before a statement, while it sets
 * the client's parameters, it blames them ("invalid server parameter").
 */
const PERMANENT_PROTOCOL_VIOLATIONS = [
  ...[/\bmessage\b/, /prepared statement/],
  ...[
    /no such (user|database)/,
    /does not exist/,
    /not (allowed|permitted)/,
    /permission denied/,
    /no pg_hba\.conf entry/,
  ],
  ...[/authentication/, /server login failed/, /login rejected/, /startup (parameter|packet)/, /SSL required/],
]
/** What only a primary can do has no code of its own. */
const IN_RECOVERY = {
  codes: /^(XX000|55000|0A000)$/,
  message: /during recovery|recovery is in progress|in a hot standby/,
}
/** Codes of Node.js. */
const CONNECTION_ERROR_CODES: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EADDRNOTAVAIL', 'ENOTCONN', 'ESHUTDOWN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_MEMORY', 'EAI_SYSTEM'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_PREMATURE_CLOSE'],
  'ERR_SSL_UNEXPECTED_EOF_WHILE_READING',
])
/** Of a socket that cannot be opened: the server's is absent or full, or this process has no more. */
const CONNECT_ERROR_CODES: ReadonlySet<string> = new Set(['ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])
/** Errors of `pg` and `pg-pool`, which have no code. */
const CONNECTION_ERROR_MESSAGES: ReadonlySet<string> = new Set([
  'Cannot use a pool after calling end on the pool',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'There was an error establishing an SSL connection',
  'timeout exceeded when trying to connect',
  'timeout expired',
])
/** An answer out of turn, or one that is none: the connection is of no use, and nothing is known of its statement. */
const UNEXPECTED_ANSWER = /^(Received unexpected \w+ message from backend|received invalid response: )/

/** The SQLSTATE of an error of PostgreSQL, or the code that Node.js gave it; undefined for any other. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** `DatabaseUnavailable` where an error of a connection or of a statement means that; otherwise the error itself. */
export function asUnavailability(error: unknown): unknown {
  return error instanceof Error && !(error instanceof DatabaseUnavailable) && isTemporary(error)
    ? new DatabaseUnavailable(error)
    : error
}

function isTemporary(error: Error): boolean {
  const { message } = error
  const code = errorCodeOf(error)
  if (code === undefined) {
    return CONNECTION_ERROR_MESSAGES.has(message) || UNEXPECTED_ANSWER.test(message)
  }
  if (code === PROTOCOL_VIOLATION) {
    return !PERMANENT_PROTOCOL_VIOLATIONS.some((violation) => violation.test(message))
  }
  const isSocketMissing = 'syscall' in error && error.syscall === 'connect' && CONNECT_ERROR_CODES.has(code)
  const isInRecovery = IN_RECOVERY.codes.test(code) && IN_RECOVERY.message.test(message)
  return isSocketMissing || isInRecovery || CONNECTION_ERROR_CODES.has(code) || TEMPORARY_SQLSTATE.test(code)
}

/** Whether an error says that, or was caused by one that does. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error instanceof Error && isDatabaseUnavailable(error.cause))
}

/** Whether the server ended a statement because it took longer than `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (errorCodeOf(error) === STATEMENT_TIMEOUT || isStatementTimeout(error.cause))
}

/** A lock was not granted in time, or given up for a deadlock that PostgreSQL ended: the statement did nothing. */
export function isLockError(error: unknown): boolean {
  const code = errorCodeOf(error)
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK
}
