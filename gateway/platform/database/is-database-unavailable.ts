/** Distinguishes errors of an unavailable database from errors of a statement or its rows. */

/** SQLSTATE classes of lost connections, exhausted resources, and servers that stop, start or are in standby. */
const UNAVAILABLE_SQLSTATES = /^(08|53|57P|58)|^25006$/
const SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
/** Errors of the `pg` client, which have no code. */
const CLIENT_ERRORS =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/

/** Whether the database could not be reached: the same statement may succeed later, and no row is at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false
  }
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string'
    ? UNAVAILABLE_SQLSTATES.test(code) || SYSTEM_ERRORS.has(code)
    : CLIENT_ERRORS.test(error.message)
}
