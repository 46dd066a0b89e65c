/** Opens the context of an operator's command: the database and the clock that all programs share, or all that a gateway has. */
import { databaseUrlError } from '../../gateway/config/database-settings.ts'
import type { Context } from '../../gateway/context.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import { openDatabase } from '../../gateway/platform/database/database.ts'
import { DatabaseUnavailable } from '../../gateway/platform/database/database-unavailable.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { openMetrics } from '../../gateway/platform/observability/metrics.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { certificateFilesIn } from '../../launcher/certificates/sandbox-certificates.ts'
import { dataFolderOf } from '../../launcher/data-folder.ts'
import { storedConnectionString } from '../../launcher/embedded-postgres/embedded-postgres.ts'
import { gatewayEnvironment } from '../../launcher/programs.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'

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

/** The same with the complete context of a gateway, with banks and encryption, for commands that settle money. */
export async function withGatewayContext(
  environment: NodeJS.ProcessEnv,
  carryOut: (context: Context) => Promise<void>,
): Promise<void> {
  // They load all that a gateway needs, and lists of the database are printed in less time.
  const { readConfig } = await import('../../gateway/config/config.ts')
  const { openContext } = await import('../../launcher/roles/open-context.ts')
  const config = readConfig(await gatewaySettings(environment))
  // Only results are printed: log lines would be mixed with them.
  const log = openLog({ program: 'havn', level: 'silent' })
  try {
    const { context, close } = await openContext(config, log, { program: 'havn tasks', processMetrics: false })
    try {
      await carryOut(context)
      await notifyDue(context.database)
    } finally {
      await close()
    }
  } catch (error) {
    throw withAdvice(error)
  }
}

/** The gateway's settings; without DATABASE_URL, those of the Havn that runs with this data folder. */
async function gatewaySettings(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (environment['DATABASE_URL']?.trim()) {
    return environment
  }
  const { masterKeyFile, certificates: certificatesFolder } = dataFolderOf(environment)
  const settings = readStartSettings(environment)
  const certificates = certificateFilesIn(certificatesFolder)
  return {
    ...gatewayEnvironment({ settings, workerPort: settings.workerPort.number, masterKeyFile, certificates }),
    ...environment,
    DATABASE_URL: await findDatabase(environment),
  }
}

/** Undefined table, and undefined column. */
const OLD_SCHEMA_CODES: readonly unknown[] = ['42P01', '42703']

/** An error of a command, with what to do about its database. */
function withAdvice(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) {
    return new Error(`${error.message}. Is Havn running?`, { cause: error })
  }
  const { code, message } = Object(error)
  return OLD_SCHEMA_CODES.includes(code)
    ? new Error(`The database lacks migrations of this release (${message}): run havn migrate`, { cause: error })
    : error
}

/** DATABASE_URL, or the embedded database of the Havn that runs with this data folder. */
async function findDatabase(environment: NodeJS.ProcessEnv): Promise<string> {
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
