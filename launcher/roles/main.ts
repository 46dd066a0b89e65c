/** Runs the gateway or the worker as a process, until it is stopped or its parent process ends. */
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError, readConfig } from '../../gateway/config/config.ts'
import { DatabaseUnavailable } from '../../gateway/platform/database/database-unavailable.ts'
import { waitForDatabase } from '../../gateway/platform/database/wait-for-database.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { releaseMemoryWhenIdle } from '../../gateway/platform/release-memory-when-idle.ts'
import { secondSignal } from '../../gateway/platform/second-signal.ts'
import { withDeadline } from '../../gateway/platform/wait-until.ts'
import { openContext } from './open-context.ts'
import { type ProcessRole, type RunningProcess, startProcessRole } from './start-process-role.ts'

/** Added to the banks' timeout: closing the database, and jobs that are running. */
const STOP_MARGIN_MILLISECONDS = 10_000
const START_AGAIN_MILLISECONDS = 1_000

const role: ProcessRole = process.argv[2] === 'worker' ? 'worker' : 'gateway'
// A connection or a signed request keeps a few bytes of its pool block, and thereby the whole block: smaller blocks save
// memory.
Buffer.poolSize = 8 * 1024
const config = readSettings()
const log = openLog({ program: role, level: config.logLevel })
const starting = start()
let isReady = false
let isEnding = false
for (const name of ['SIGTERM', 'SIGINT'] as const) {
  const isSecond = secondSignal()
  process.on(name, () => (isSecond() ? process.exit(1) : end()))
}
process.once('disconnect', end)
const running = await starting.catch(exitWithError)
isReady = true
log.info({ address: running.address }, `the ${role} is running`)
process.send?.({ ready: true, address: running.address })
releaseMemoryWhenIdle()

function readSettings() {
  try {
    return readConfig(process.env, role)
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`)
      process.exit(2)
    }
    throw error
  }
}

/** A database that goes away again while the process starts is waited for again. */
async function start(): Promise<RunningProcess> {
  const program = `havn ${role}`
  const { databaseUrl: connectionString, databasePoolMode: poolMode } = config
  for (;;) {
    await waitForDatabase({ connectionString, applicationName: program, poolMode, report: (line) => log.warn(line) })
    try {
      const opened = await openContext(config, log, { program, processMetrics: true })
      return await startProcessRole(role, opened)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) {
        throw error
      }
      // One connection was possible: where more are not, nothing else says so.
      log.warn({ error }, `the ${role} lost the database while it started, and starts again`)
      await pause(START_AGAIN_MILLISECONDS)
    }
  }
}

function exitWithError(error: unknown): never {
  log.fatal({ error }, `the ${role} cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

/** Stops gracefully; a process that is still starting has nothing in flight and exits at once. */
async function end(): Promise<void> {
  if (!isReady) {
    log.info(`the ${role} was stopped before it was ready`)
    process.exit(0)
  }
  if (!isEnding) {
    isEnding = true
    const milliseconds = (config.drainSeconds + config.bankAnswerTimeoutSeconds) * 1_000 + STOP_MARGIN_MILLISECONDS
    await withDeadline(
      starting.then((started) => started.stop()),
      { milliseconds, onDeadline: () => endAtOnce(milliseconds) },
    )
    log.info(`the ${role} has stopped`)
    if (process.connected) {
      process.disconnect?.()
    }
  }
}

/** A restart recovers what was in flight, as after a crash. */
function endAtOnce(milliseconds: number): void {
  log.error({ milliseconds }, `the ${role} did not stop in time and exits with work in progress`)
  process.exit(1)
}
