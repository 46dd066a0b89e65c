/** Runs the tests that need no PostgreSQL, no browser and no other program. */

import { findUnitTests } from './find-unit-tests.ts'
import { runSteps } from './run-steps.ts'

await runSteps([
  { title: 'Unit tests', command: ['vitest', 'run', ...(await findUnitTests()), ...process.argv.slice(2)] },
])
