/** Runs programs of the project with a common seed, and reports the result of each. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { delimiter, join } from 'node:path'
import { ROOT } from './source-files.ts'

/** A program in `node_modules/.bin` and its arguments. */
export type Step = {
  readonly title: string
  readonly command: readonly [string, ...string[]]
  /** What the program waits for while the others run; the step fails if that does. */
  readonly after?: Promise<void>
}

const programs = join(ROOT, 'node_modules', '.bin')

/**
 * Runs steps at the same time; failures are in the exit code and in the last line. The output of the last one is shown as
 * it comes. The others have a low priority, so that they use what it leaves of the processors; their output is shown when
 * they have ended, and that of failed ones at the end again, where it is not overlooked.
 */
export async function runSteps(
  steps: readonly [...Step[], Step],
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const environment = { ...settings, ...testEnvironment() }
  console.log(`To repeat this run: HAVN_SEED=${environment.HAVN_SEED}`)
  const results = await Promise.all(
    steps.map((step, n) => (n === steps.length - 1 ? runShown : runBeside)(step, environment)),
  )
  const failed = results.filter(({ passed }) => !passed)
  console.log(failed.map(({ output }) => output).join(''))
  console.log(failed.length === 0 ? 'Everything passed' : `FAILED: ${failed.map(({ title }) => title).join(', ')}`)
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

/** How a step ended. */
type StepResult = { readonly title: string; readonly passed: boolean; readonly output: string }

async function runShown(step: Step, env: NodeJS.ProcessEnv): Promise<StepResult> {
  try {
    await step.after
  } catch (error) {
    const output = `\n— ${step.title}: ${error instanceof Error ? error.message : error}\n`
    console.error(output)
    return { title: step.title, passed: false, output }
  }
  console.log(headingOf(step))
  const begun = performance.now()
  const passed = await hasPassed(startStep(step, env, 'inherit'))
  console.log(endingOf(step, begun, passed))
  return { title: step.title, passed, output: '' }
}

async function runBeside(step: Step, env: NodeJS.ProcessEnv): Promise<StepResult> {
  const begun = performance.now()
  const child = startStep(step, env, 'pipe')
  if (child.pid !== undefined) {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  }
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  }
  const passed = await hasPassed(child)
  const output = `${headingOf(step)}\n${Buffer.concat(chunks)}${endingOf(step, begun, passed)}\n`
  process.stdout.write(output)
  return { title: step.title, passed, output }
}

function headingOf({ title, command }: Step): string {
  return `\n— ${title}: ${command.slice(0, 4).join(' ')}`
}

function endingOf({ title }: Step, begun: number, passed: boolean): string {
  return `— ${title}: ${passed ? 'passed' : 'FAILED'} in ${Math.round(performance.now() - begun)} ms`
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

/** Hexadecimal digits of a commit hash that make a seed of 28 bits. */
const DIGITS = 7

/**
 * The value of `HAVN_SEED`. In CI, derived from the commit: the same commit uses the same seed on every machine, and
 * the next one another. Otherwise random.
 */
export function chooseSeed(environment: NodeJS.ProcessEnv, root: string): string {
  const commit = environment['CI'] === undefined ? undefined : commitOf(root)
  return environment['HAVN_SEED'] ?? String(commit ?? Math.floor(Math.random() * 16 ** DIGITS))
}

/** Undefined outside of a repository. */
function commitOf(root: string): number | undefined {
  try {
    const name = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(name.toString().slice(0, DIGITS), 16)
  } catch {
    return undefined
  }
}
