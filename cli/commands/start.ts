/** `havn start`: everything on one machine, until Ctrl-C, SIGTERM, or the end of the npm that started it. */
import { releaseMemoryWhenIdle } from '../../gateway/platform/release-memory-when-idle.ts'
import { runEverything } from '../../launcher/start-all-programs.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'
import { greeting } from '../../launcher/start-summary.ts'

/** How often to look whether npm is still there; a killed npm cannot tell us. */
const PARENT_LOOK_MILLISECONDS = 250
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs until it is told to stop; the second time it is told, nothing is waited for. */
export async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const began = performance.now()
  const settings = readStartSettings(environment)
  const stopping = new AbortController()
  const killing = new AbortController()
  // A terminal that was closed takes no more lines; that is no reason to fall.
  process.stdout.on('error', () => undefined)
  const say = (line: string) => console.log(line)
  const stop = () => {
    if (stopping.signal.aborted) {
      killing.abort()
    } else {
      say('\nStopping …')
      stopping.abort()
    }
  }
  for (const name of SIGNALS) {
    process.on(name, stop)
  }
  const parentWatch = environment['npm_lifecycle_event'] === undefined ? undefined : stopWithParent(stop)
  say('Starting Havn …')
  try {
    await runEverything(settings, {
      say,
      stopping: stopping.signal,
      killing: killing.signal,
      ready: () => {
        say(greeting(settings, performance.now() - began))
        releaseMemoryWhenIdle()
      },
    })
  } finally {
    // Whatever kept it from starting, the watch would keep the process alive, and the handlers would keep it from ending.
    clearInterval(parentWatch)
    for (const name of SIGNALS) {
      process.off(name, stop)
    }
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
  }, PARENT_LOOK_MILLISECONDS)
  return watch
}
