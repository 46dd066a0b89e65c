/** Runs all tests, with a large number of random cases. */
import { ensureTestPrograms } from '../gateway/testing/debian-packages.ts'
import { LONG_TEST_SETTINGS } from './long-test-settings.ts'
import { runSteps } from './run-steps.ts'

await runSteps(
  [{ title: 'Tests at length', command: ['vitest', 'run', ...process.argv.slice(2)], after: ensureTestPrograms() }],
  Object.fromEntries(LONG_TEST_SETTINGS.map(({ setting, cases }) => [setting, String(cases)])),
)
