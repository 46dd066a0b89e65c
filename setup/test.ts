/** Runs all checks before a change is merged: format and lint, types, dead code, all tests. */
import { ensureTestPrograms } from '../gateway/testing/debian-packages.ts'
import { runSteps } from './run-steps.ts'

await runSteps([
  { title: 'Format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  // Several checkers check shared types once each, which takes half as much processor time again.
  { title: 'Types', command: ['tsc', '-p', '.', '--checkers', '1'] },
  { title: 'Unused code and dependencies', command: ['knip'] },
  // Arguments of the caller, such as a path, are passed to the test runner.
  { title: 'Tests', command: ['vitest', 'run', ...process.argv.slice(2)], after: ensureTestPrograms() },
])
