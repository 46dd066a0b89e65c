/** Runs programs of the project one after the other with a common seed, and reports the result of each. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { chooseSeed } from './choose-seed.ts'
import { ROOT } from './source-files.ts'

/** A program in `node_modules/.bin` and its arguments. */
export type Step = { readonly title: string; readonly command: readonly [string, ...string[]] }

const programs = join(ROOT, 'node_modules', '.bin')

/** Runs every step, also after a failed one; failures are in the exit code and in the last line. */
export async function runSteps(steps: readonly Step[], settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const environment = { ...settings, ...testEnvironment() }
  console.log(`To repeat this run: HAVN_SEED=${environment.HAVN_SEED}`)
  const failed: string[] = []
  for (const step of steps) {
    console.log(`\n— ${step.title}: ${step.command.slice(0, 4).join(' ')}`)
    const begun = performance.now()
    const passed = await runStep(step, environment)
    console.log(`— ${step.title}: ${passed ? 'passed' : 'FAILED'} in ${Math.round(performance.now() - begun)} ms`)
    if (!passed) {
      failed.push(step.title)
    }
  }
  console.log(failed.length === 0 ? '\nEverything passed' : `\nFAILED: ${failed.join(', ')}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

function testEnvironment() {
  return {
    ...process.env,
    // The tools start `node` from the path: it must be the pinned one.
    PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
    // Without the cache, programs that tests start would spend minutes in total on stripping types.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
    HAVN_SEED: chooseSeed(process.env, ROOT),
  }
}

/** Whether a step passed. A signal to this process ends the step and, through its exit, this process. */
async function runStep({ command: [program, ...options] }: Step, env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(join(programs, program), options, { cwd: ROOT, env, stdio: 'inherit' })
  const passOn = (signal: NodeJS.Signals) => {
    child.kill(signal)
    process.exitCode = 1
    child.once('close', () => process.exit())
  }
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  try {
    return await new Promise((resolve, reject) => {
      child.once('close', (code) => resolve(code === 0)).once('error', reject)
    })
  } finally {
    process.off('SIGINT', passOn).off('SIGTERM', passOn)
  }
}
