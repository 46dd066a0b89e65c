/** Runs the gateway or the worker as a program, until it is told to end or its parent is gone. */
import { BANK_PROFILES_FOLDER, readBankProfiles } from './banks/directory/bank-profile.ts'
import { openContext } from './composition/open-context.ts'
import { type Role, startRole } from './composition/start-process-role.ts'
import { ConfigError, readConfig } from './config/config.ts'
import { openLog } from './platform/observability/log.ts'
import { releaseMemoryWhenIdle } from './platform/release-memory-when-idle.ts'
import { withDeadline } from './platform/with-deadline.ts'

/** Beyond the time that a bank has to answer: closing the database, and sweeps that are in progress. */
const STOP_MARGIN_MILLISECONDS = 10_000

const role: Role = process.argv[2] === 'worker' ? 'worker' : 'gateway'
if (role === 'worker') {
  // A connection keeps a few bytes of a block for as long as it lives, and with them the block: small ones will do.
  Buffer.poolSize = 8 * 1024
}
const config = readSettings()
const log = openLog({ program: role, level: config.logLevel })
const starting = openContext(config, log, { program: `havn ${role}`, processMetrics: true }).then((opened) =>
  startRole(role, opened, () => readBankProfiles(BANK_PROFILES_FOLDER)),
)
let isReady = false
let isEnding = false
process.once('SIGTERM', end)
process.once('SIGINT', end)
process.once('disconnect', end)
const running = await starting
isReady = true
log.info({ address: running.address }, `the ${role} is at work`)
process.send?.({ ready: true, address: running.address })
releaseMemoryWhenIdle()

function readSettings() {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.message}\n`)
      process.exit(2)
    }
    throw error
  }
}

/** Stops in order; what is still starting has nothing in progress, and may wait for what no longer comes. */
async function end(): Promise<void> {
  if (!isReady) {
    log.info(`the ${role} ends before it was ready`)
    process.exit(0)
  }
  if (!isEnding) {
    isEnding = true
    const milliseconds = config.bankAnswerTimeoutSeconds * 1_000 + STOP_MARGIN_MILLISECONDS
    await withDeadline(
      starting.then((started) => started.stop()),
      { milliseconds, onDeadline: () => endAtOnce(milliseconds) },
    )
    log.info(`the ${role} has ended`)
    if (process.connected) {
      process.disconnect?.()
    }
  }
}

/** Recovery after a restart takes over what was in progress, as after a crash. */
function endAtOnce(milliseconds: number): void {
  log.error({ milliseconds }, `the ${role} did not stop in time and ends with work in progress`)
  process.exit(1)
}
