/** Opens what an operator's command works on: the database, and the clock that all programs share. */
import { resolve } from 'node:path'
import { type MovableClock, movableClock } from '../../gateway/platform/clock.ts'
import { type Database, openDatabase } from '../../gateway/platform/database/database.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { dataFolderAt } from '../../launcher/data-folder.ts'
import { keptConnectionString } from '../../launcher/embedded-postgres/embedded-postgres.ts'

/** What every operator's command gets. */
export type Surroundings = { readonly database: Database<unknown>; readonly clock: MovableClock }

/** Carries out a command and closes what was opened for it. */
export async function withSurroundings(
  environment: NodeJS.ProcessEnv,
  carryOut: (surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  const connectionString = await findDatabase(environment)
  const database = openDatabase<unknown>({ connectionString, applicationName: 'havn', connectionsMax: 1 })
  try {
    await carryOut({ database, clock: movableClock() })
    await notifyDue(database)
  } catch (error) {
    throw isRefusedConnection(error)
      ? new Error('The database does not answer. Is Havn running?', { cause: error })
      : error
  } finally {
    await database.close()
  }
}

/** DATABASE_URL, or the embedded database of a Havn that runs with the data folder here. */
export async function findDatabase(environment: NodeJS.ProcessEnv): Promise<string> {
  const given = environment['DATABASE_URL']?.trim() || undefined
  const folder = resolve(environment['HAVN_DATA_DIR']?.trim() || '.havn')
  const found = given ?? (await keptConnectionString(dataFolderAt(folder).postgres))
  if (found === undefined) {
    throw new Error(`Set DATABASE_URL, or run "npm start" first: there is no database in ${folder}`)
  }
  return found
}

function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}
