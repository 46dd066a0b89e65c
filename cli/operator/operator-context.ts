/** Opens the context of an operator's command: the database, and the clock that all programs share. */
import { databaseUrlError } from '../../gateway/config/database-settings.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { DatabaseUnavailable } from '../../gateway/platform/database/database-unavailable.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { openMetrics } from '../../gateway/platform/observability/metrics.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { dataFolderOf } from '../../launcher/data-folder.ts'
import { storedConnectionString } from '../../launcher/embedded-postgres/embedded-postgres.ts'

/** Runs a command and closes its context. */
export async function withOperatorContext(
  environment: NodeJS.ProcessEnv,
  carryOut: (context: ProgramContext) => Promise<void>,
): Promise<void> {
  const connectionString = await findDatabase(environment)
  const database = openDatabase<unknown>({ connectionString, applicationName: 'havn', connectionsMax: 1 })
  try {
    const log = openLog({ program: 'havn', level: 'silent' })
    const metrics = openMetrics({ processMetrics: false })
    const clock = movableClock()
    await readClock(database, clock)
    await carryOut({ database, clock, log, metrics, trace: null })
    await notifyDue(database)
  } catch (error) {
    throw withAdvice(error)
  } finally {
    await database.close()
  }
}

/** Undefined table, and undefined column. */
const OLD_SCHEMA_CODES: readonly unknown[] = ['42P01', '42703']

/** An error of a command, with what to do about its database. */
export function withAdvice(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) {
    return new Error(`${error.message}. Is Havn running?`, { cause: error })
  }
  const { code, message } = Object(error)
  return OLD_SCHEMA_CODES.includes(code)
    ? new Error(`The database lacks migrations of this release (${message}): run havn migrate`, { cause: error })
    : error
}

/** DATABASE_URL, or the embedded database of the Havn that runs with this data folder. */
export async function findDatabase(environment: NodeJS.ProcessEnv): Promise<string> {
  const given = environment['DATABASE_URL']?.trim() || undefined
  const { path, postgres } = dataFolderOf(environment)
  const error = given === undefined ? undefined : databaseUrlError(given)
  if (error !== undefined) {
    throw new Error(error)
  }
  const found = given ?? (await storedConnectionString(postgres))
  if (found === undefined) {
    throw new Error(`Set DATABASE_URL, or run "npm start" first: there is no database in ${path}`)
  }
  return found
}
