/** Tests that nothing outlives a trial, however it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { namespaces } from './run-contained.ts'

const MODULE = new URL('run-contained.ts', import.meta.url).href
/** What a trial starts: one program detaches itself, and one ignores what would stop it. */
const PROGRAMS = 'setsid sleep 1000 & (trap "" INT TERM; sleep 1000) & echo "started"'

/** A process that runs a shell contained. Its output ends when the last process that can write to it has ended. */
function startOuter(script: string) {
  const program = `const { runContained } = await import('${MODULE}')
    process.exitCode = await runContained('sh', ['-c', ${JSON.stringify(script)}])`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('utf8')
  return { child, closed: once(child, 'close') }
}

const isPermitted = (await namespaces()).length > 0

test.runIf(isPermitted).concurrent.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  '%s ends everything that was started',
  async (signal) => {
    const { child, closed } = startOuter(`${PROGRAMS}; wait`)
    let printed = ''
    for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
      printed += String(text)
      if (printed.includes('started')) {
        break
      }
    }
    child.stdout.resume()
    child.kill(signal)
    expect(await closed).toEqual(signal === 'SIGKILL' ? [null, 'SIGKILL'] : [130, null])
  },
)

test
  .runIf(isPermitted)
  .concurrent('what is still running at the end of a trial ends, and the exit code is that of the trial', async () => {
    const { child, closed } = startOuter(`${PROGRAMS}; exit 3`)
    child.stdout.resume()
    expect(await closed).toEqual([3, null])
  })
