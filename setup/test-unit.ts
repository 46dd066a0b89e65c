/** Runs the tests that need no PostgreSQL, no browser and no other program. */
import { runSteps } from './run-steps.ts'
import { findUnitTests } from './unit-tests.ts'

await runSteps([
  { title: 'Unit tests', command: ['vitest', 'run', ...(await findUnitTests()), ...process.argv.slice(2)] },
])
