/** Runs programs of the project with a common seed, and reports the result of each. */
import { type ChildProcess, spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { chooseSeed } from './choose-seed.ts'
import { ROOT } from './source-files.ts'

/** A program in `node_modules/.bin` and its arguments. */
export type Step = { readonly title: string; readonly command: readonly [string, ...string[]] }

const programs = join(ROOT, 'node_modules', '.bin')

/**
 * Runs groups of steps one after the other, also after a failed one; failures are in the exit code and in the last line.
 * The steps of a group run at the same time; unless a step is the only one, its output is printed when it has ended.
 */
export async function runSteps(
  groups: readonly (readonly Step[])[],
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const environment = { ...settings, ...testEnvironment() }
  console.log(`To repeat this run: HAVN_SEED=${environment.HAVN_SEED}`)
  const failed: string[] = []
  for (const steps of groups) {
    const run = steps.length > 1 ? runCollected : runStep
    const passed = await Promise.all(steps.map((step) => run(step, environment)))
    failed.push(...steps.filter((_step, n) => passed[n] === false).map(({ title }) => title))
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

/** Whether a step passed. */
async function runStep(step: Step, env: NodeJS.ProcessEnv): Promise<boolean> {
  console.log(headingOf(step))
  const begun = performance.now()
  return reported(step, begun, await hasPassed(startStep(step, env, 'inherit')))
}

/** Whether a step passed. Its output is not mixed with that of others. */
async function runCollected(step: Step, env: NodeJS.ProcessEnv): Promise<boolean> {
  const begun = performance.now()
  const child = startStep(step, env, 'pipe')
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => output.push(chunk))
  }
  const passed = await hasPassed(child)
  console.log(headingOf(step))
  process.stdout.write(Buffer.concat(output))
  return reported(step, begun, passed)
}

function headingOf({ title, command }: Step): string {
  return `\n— ${title}: ${command.slice(0, 4).join(' ')}`
}

function reported({ title }: Step, begun: number, passed: boolean): boolean {
  console.log(`— ${title}: ${passed ? 'passed' : 'FAILED'} in ${Math.round(performance.now() - begun)} ms`)
  return passed
}

function startStep({ command: [program, ...options] }: Step, env: NodeJS.ProcessEnv, output: 'inherit' | 'pipe') {
  return spawn(join(programs, program), options, { cwd: ROOT, env, stdio: ['inherit', output, output] })
}

/** Whether a program passed. A signal to this process ends the program and, through its exit, this process. */
async function hasPassed(child: ChildProcess): Promise<boolean> {
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
