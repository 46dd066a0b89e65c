/** Distinguishes errors that mean that the database is away – of PostgreSQL, poolers and connections – from all others. */

/** The database cannot be reached, or cannot execute statements at the moment. Whether this one was executed is unknown. */
export class DatabaseUnavailable extends Error {
  constructor(cause: Error) {
    super(`The database is not available: ${cause.message}`, { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * SQLSTATEs: connection exceptions, insufficient resources, a server that stops, starts or has crashed, a statement that
 * was cancelled because it took too long, a standby or a read-only primary, and errors of its disk.
 */
const TEMPORARY_SQLSTATE = /^(08...|53...|57P0[1235]|57014|25006|25P03|58000|58030)$/
/** Of a statement that was cancelled. */
const STATEMENT_TIMEOUT = '57014'
/** With which PgBouncer reports whatever it has to say, and PostgreSQL malformed messages. */
const PROTOCOL_VIOLATION = '08P01'
const PERMANENT_PROTOCOL_VIOLATION =
  /no such (user|database)|authentication failed|does not exist|startup parameter|not allowed to connect|bind message|message format|invalid/i
const CONNECTION_ERROR_CODES: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EADDRNOTAVAIL'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
])
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

/** `DatabaseUnavailable` where an error of a connection or of a statement means that; otherwise the error itself. */
export function asUnavailability(error: unknown): unknown {
  return error instanceof Error && !(error instanceof DatabaseUnavailable) && isTemporary(error)
    ? new DatabaseUnavailable(error)
    : error
}

function isTemporary(error: Error): boolean {
  const { code } = error as Error & { code?: unknown }
  if (typeof code !== 'string') {
    return CONNECTION_ERROR_MESSAGES.has(error.message)
  }
  // The socket of a server on this host is absent while the server is.
  const isSocketAbsent = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  const isPermanent = code === PROTOCOL_VIOLATION && PERMANENT_PROTOCOL_VIOLATION.test(error.message)
  return isSocketAbsent || CONNECTION_ERROR_CODES.has(code) || (TEMPORARY_SQLSTATE.test(code) && !isPermanent)
}

/** Whether an error says that, or was caused by one that does. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || (error instanceof Error && isDatabaseUnavailable(error.cause))
}

/** Whether the server ended a statement because it took longer than `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (Object(error).code === STATEMENT_TIMEOUT || isStatementTimeout(error.cause))
}
