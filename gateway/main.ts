/** Runs the gateway or the worker as a process, until it is stopped or its parent process ends. */
import { BANK_PROFILES_FOLDER, readBankProfiles } from './banks/directory/bank-profile.ts'
import { openContext } from './composition/open-context.ts'
import { type ProcessRole, startProcessRole } from './composition/start-process-role.ts'
import { ConfigError, readConfig } from './config/config.ts'
import { openLog } from './platform/observability/log.ts'
import { releaseMemoryWhenIdle } from './platform/release-memory-when-idle.ts'
import { withDeadline } from './platform/with-deadline.ts'

/** Added to the banks' timeout: closing the database, and jobs that are running. */
const STOP_MARGIN_MILLISECONDS = 10_000

const role: ProcessRole = process.argv[2] === 'worker' ? 'worker' : 'gateway'
// A connection or a signed request keeps a few bytes of its pool block, and thereby the whole block: smaller blocks save
// memory.
Buffer.poolSize = 8 * 1024
const config = readSettings()
const log = openLog({ program: role, level: config.logLevel })
const starting = openContext(config, log, { program: `havn ${role}`, processMetrics: true }).then((opened) =>
  startProcessRole(role, opened, () => readBankProfiles(BANK_PROFILES_FOLDER)),
)
let isReady = false
let isEnding = false
process.once('SIGTERM', end)
process.once('SIGINT', end)
process.once('disconnect', end)
const running = await starting
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
