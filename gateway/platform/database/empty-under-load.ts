/** Repeats a transaction that empties tables, which requests and jobs in flight lock in other orders. */

const ATTEMPTS_MAX = 10
/** SQLSTATEs of a deadlock that PostgreSQL ended, and of a lock that was not granted in time: nothing was done. */
const LOCKED = ['40P01', '55P03']

/** Throws the last error, or the first of another kind. */
export async function emptyUnderLoad(empty: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await empty()
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!LOCKED.includes(code) || attempt === ATTEMPTS_MAX) {
        throw error
      }
    }
  }
}
