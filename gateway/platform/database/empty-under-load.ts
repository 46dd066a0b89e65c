/** Repeats a transaction that empties tables, which requests and jobs in flight lock in other orders. */
import { isLockError } from './database-unavailable.ts'

const ATTEMPTS_MAX = 10

/** Throws the last error, or the first of another kind. */
export async function emptyUnderLoad(empty: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await empty()
      return
    } catch (error) {
      if (!isLockError(error) || attempt === ATTEMPTS_MAX) {
        throw error
      }
    }
  }
}
