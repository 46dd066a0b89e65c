/** Logs the errors of requests that are not the caller's: faults of ours, and a database that is away. */
import { DatabaseUnavailable } from '../../database/database-unavailable.ts'
import type { Log } from '../../observability/log.ts'

/** What failed; `error` is the one that was thrown, not what the caller reads. */
type FailedRequest = { readonly requestId: string; readonly error: unknown } & Readonly<Record<string, unknown>>

/** Operators look for faults by level: that the database is away is none, and has an alert of its own. */
export function logServerError(log: Pick<Log, 'warn' | 'error'>, failed: FailedRequest, message: string): void {
  if (failed.error instanceof DatabaseUnavailable) {
    log.warn(failed, 'a request failed because the database is not available')
  } else {
    log.error(failed, message)
  }
}
