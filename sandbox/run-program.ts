/** Runs a program of the sandbox until a signal, or until its parent has ended. */
import { type Log, type LogSettings, openLog } from '../gateway/platform/observability/log.ts'
import { releaseMemoryWhenIdle } from '../gateway/platform/release-memory-when-idle.ts'

type Running = { close(): Promise<void> }

export type Program<Begun extends Running> = {
  /** Its name in the log. */
  readonly name: string
  /** As a reader of the log would call it, such as `the sandbox bank`. */
  readonly title: string
  readonly logLevel: LogSettings['level']
  start(log: Log): Promise<Begun>
  /** The URL that it serves: logged, and sent to its parent. */
  addressesOf(begun: Begun): Readonly<Record<string, string>>
}

/** Starts it, and stops it in order on request, also while it starts. */
export async function runProgram<Begun extends Running>(program: Program<Begun>): Promise<void> {
  const log = openLog({ program: program.name, level: program.logLevel })
  const starting = program.start(log)
  let isEnding = false
  const end = async () => {
    if (!isEnding) {
      isEnding = true
      await (await starting).close()
      if (process.connected) {
        process.disconnect?.()
      }
    }
  }
  process.once('SIGTERM', end)
  // Ctrl-C reaches the whole group: a program under a supervisor leaves the order of stopping to it.
  process.on('SIGINT', process.connected ? () => undefined : end)
  process.once('disconnect', end)
  const addresses = program.addressesOf(await starting)
  log.info(addresses, `${program.title} is open`)
  if (process.connected) {
    process.send?.({ ready: true, ...addresses })
  }
  releaseMemoryWhenIdle()
}
