/** Creates the error for a cancellation that is stored, and carried out whatever happens to its request. */
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { type NamedOrder, outcomeUnknown } from '../platform/http/errors/api-error.ts'

const DETAIL = 'the order may be cancelled there. Poll the status of what is named here'

/** The bank may have been asked, and its answer is not stored: a sweep asks it again. Other errors stay as they are. */
export function requestedCancellationError(error: unknown, order: NamedOrder): unknown {
  return error instanceof DatabaseUnavailable ? outcomeUnknown(order, DETAIL) : error
}
