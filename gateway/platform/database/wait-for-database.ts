/** Waits at the start of a program until the database accepts its statements. */
import { monotonicMilliseconds } from '../clock.ts'
import { waitUntil } from '../wait-until.ts'
import { type Database, type DatabaseSettings, openDatabase } from './database.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** `report` gets one line when the program begins to wait, and one when the database is there. */
type WaitSettings = Pick<DatabaseSettings, 'connectionString' | 'applicationName' | 'poolMode'> & {
  readonly report: (line: string) => void
  /** Without it the program waits for as long as it takes. */
  readonly millisecondsMax?: number
  readonly pauseMilliseconds?: number
}

const PAUSE_MILLISECONDS = 1_000

/**
 * Throws what waiting does not mend: a rejected login, a database that does not exist, wrong TLS. A standby is waited
 * for, because it may become the primary. Returns the milliseconds that it has waited.
 */
export async function waitForDatabase(settings: WaitSettings): Promise<number> {
  const { report, millisecondsMax = Number.POSITIVE_INFINITY, pauseMilliseconds = PAUSE_MILLISECONDS } = settings
  const database = openDatabase<unknown>({ ...settings, connectionsMax: 1 })
  const began = monotonicMilliseconds()
  const waited = () => monotonicMilliseconds() - began
  try {
    let isReported = false
    const check = async () => {
      const error = await errorOf(database)
      if (error !== undefined && !isReported) {
        report(`Waiting for the database. ${error.message}`)
        isReported = true
      }
      return error
    }
    const waiting = { withinMilliseconds: millisecondsMax, everyMilliseconds: pauseMilliseconds }
    const error = await waitUntil(check, (found) => found === undefined, waiting)
    if (error !== undefined) {
      throw error
    }
    if (isReported) {
      report(`The database is available after ${Math.round(waited() / 1_000)} seconds; starting`)
    }
    return waited()
  } finally {
    await database.close()
  }
}

async function errorOf({ pool }: Database<unknown>): Promise<DatabaseUnavailable | undefined> {
  try {
    const { rows } = await pool.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
    return rows[0]?.isStandby === true ? new DatabaseUnavailable(new Error('it is a standby')) : undefined
  } catch (error) {
    if (error instanceof DatabaseUnavailable) {
      return error
    }
    throw error
  }
}
