/** `havn start`: everything on one machine, until Ctrl-C, SIGTERM, or the end of the npm that started it. */
import { releaseMemoryWhenIdle } from '../../gateway/platform/release-memory-when-idle.ts'
import { startAllPrograms, startSummary } from '../../launcher/start-all-programs.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'
import { onStopSignals } from '../stop-signals.ts'

/** The interval for checking that npm still runs: a killed npm sends no signal. */
const PARENT_POLL_MILLISECONDS = 250

/** Runs until a stop signal; a second signal stops without waiting. */
export async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const began = performance.now()
  const settings = readStartSettings(environment)
  const stopping = new AbortController()
  const killing = new AbortController()
  // Writing to a closed terminal fails. That ends other commands, but must not end this one: its programs would remain.
  for (const output of [process.stdout, process.stderr]) {
    output.removeAllListeners('error').on('error', () => undefined)
  }
  const say = (line: string) => console.log(line)
  const stop = () => {
    if (!stopping.signal.aborted) {
      say('\nStopping …')
      stopping.abort()
    }
  }
  const closeSignals = onStopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], stop, () => killing.abort())
  const parentWatch = environment['npm_lifecycle_event'] === undefined ? undefined : stopWithParent(stop)
  say('Starting Havn …')
  try {
    await startAllPrograms(settings, {
      say,
      stopping: stopping.signal,
      killing: killing.signal,
      ready: () => {
        say(startSummary(settings, performance.now() - began))
        releaseMemoryWhenIdle()
      },
    })
  } finally {
    // After a failed start the interval would keep the process alive, and the signal handlers would prevent its end.
    clearInterval(parentWatch)
    closeSignals()
  }
  say('Stopped; nothing is left running.')
}

function stopWithParent(stop: () => void): NodeJS.Timeout {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(watch)
      stop()
    }
  }, PARENT_POLL_MILLISECONDS)
  return watch
}
