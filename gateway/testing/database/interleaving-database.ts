/** A database that runs an action once before the first statement of a kind, to test interleavings. */
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { observedDatabase } from './observed-database.ts'

/** Uses the pool of a real database; `act` runs before the first statement that matches `kind`. */
export function interleavingDatabase(pool: pg.Pool, kind: RegExp, act: () => Promise<unknown>): Database<unknown> {
  let isDone = false
  return observedDatabase(pool, async (text) => {
    if (!isDone && kind.test(text)) {
      isDone = true
      await act()
    }
  })
}
