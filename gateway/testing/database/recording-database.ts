/** A database that records the statements that are executed through it. */
import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { observedDatabase } from './observed-database.ts'

export type RecordingDatabase = Database<unknown> & {
  /** The tables that were read since the last call, each as often as it was; reads under a row lock are left out. */
  takeReads(): Readonly<Record<string, number>>
}

const READ = /^select .*? from "(\w+)"/
/** A statement that concurrent requests share: it reads a table for the rows of its parameter. */
const SHARED_READ = /(?:join|from) (\w+) c\b/
const LOCK = /for update/

/** Uses the pool of a real database. */
export function recordingDatabase(pool: pg.Pool): RecordingDatabase {
  let statements: string[] = []
  const database = observedDatabase(pool, (text) => {
    statements.push(text)
  })
  const recordedPool = new Proxy(pool, {
    get: (target, name) =>
      name === 'query'
        ? async (statement: pg.QueryConfig) => {
            statements.push(statement.text)
            return await target.query(statement)
          }
        : Reflect.get(target, name),
  })
  const takeReads = () => {
    const reads = new Map<string, number>()
    for (const text of statements) {
      const table = LOCK.test(text) ? undefined : (READ.exec(text) ?? SHARED_READ.exec(text))?.[1]
      if (table !== undefined) {
        reads.set(table, (reads.get(table) ?? 0) + 1)
      }
    }
    statements = []
    return Object.fromEntries(reads)
  }
  return { ...database, pool: recordedPool, takeReads }
}
