/** Runs everything that must be true before a change is handed in: format and lint, types, dead code, all tests. */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseSeed } from './choose-seed.ts'
import { ensureChromium } from './ensure-chromium.ts'
import { ensureOpenSsh } from './ensure-openssh.ts'

type Step = { readonly title: string; readonly command: readonly [string, ...string[]] }

const root = fileURLToPath(new URL('..', import.meta.url))
const programs = join(root, 'node_modules', '.bin')
const seed = chooseSeed(process.env, root)
const environment = {
  ...process.env,
  // The tools start `node` from the path: it must be the pinned one.
  PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}`,
  // Each file of tests is a process, and so are the programs that tests start: together they strip types for minutes.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  HAVN_SEED: seed,
}
/** Arguments of the caller, such as a path, go to the test runner. */
const steps: readonly Step[] = [
  { title: 'Format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { title: 'Types', command: ['tsc', '-p', '.'] },
  { title: 'Unused code and dependencies', command: ['knip'] },
  { title: 'Tests', command: ['vitest', 'run', ...process.argv.slice(2)] },
]

console.log(`To try everything again as this run does: HAVN_SEED=${seed} npm test`)
await ensureChromium()
await ensureOpenSsh()
const failed: string[] = []
for (const step of steps) {
  console.log(`\n— ${step.title}: ${step.command.join(' ')}`)
  const begun = performance.now()
  const passed = await carryOut(step)
  console.log(`— ${step.title}: ${passed ? 'passed' : 'FAILED'} in ${Math.round(performance.now() - begun)} ms`)
  if (!passed) {
    failed.push(step.title)
  }
}
console.log(failed.length === 0 ? '\nEverything passed' : `\nFAILED: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** Whether a step passed. A signal to us ends the step and, through its exit, us. */
async function carryOut({ command: [program, ...options] }: Step): Promise<boolean> {
  const child = spawn(join(programs, program), options, { cwd: root, env: environment, stdio: 'inherit' })
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
