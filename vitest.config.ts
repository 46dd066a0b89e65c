/** Configures the tests: the pinned Node, one process more than processors, and one PostgreSQL on first use. */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { failureSummaryReporter } from './setup/failure-summary-reporter.ts'
import { SOURCE_FOLDERS } from './setup/source-files.ts'
import { SpreadWaitingTests } from './setup/spread-waiting-tests.ts'

const RUNTIME_MAJOR = 26
/** A journey starts a browser; a passing test never takes longer, even on a slow and busy machine. */
const TEST_MILLISECONDS = 90_000
/** A condition that a test waits for is met sooner; looking at it more often would take the time of the other tests. */
const POLL = { timeout: 60_000, interval: 150 }

if (Number.parseInt(process.versions.node, 10) < RUNTIME_MAJOR) {
  throw new Error(`Tests need Node ${RUNTIME_MAJOR}, this is ${process.version}: run "npx vitest" or "npm test"`)
}

export default defineConfig({
  test: {
    include: SOURCE_FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
    setupFiles: ['setup/disable-source-maps.ts', 'setup/seed-property-tests.ts'],
    globalSetup: ['gateway/testing/database/global-setup.ts'],
    reporters: ['default', failureSummaryReporter],
    pool: 'forks',
    // Tests wait for banks, clocks and browsers; with two more than processors they take a quarter more processor time.
    maxWorkers: availableParallelism() + 1,
    // Files of a worker share its modules: loading them again for each took a quarter of the time, and running them
    // cold took more.
    isolate: false,
    // Requests and answers die young: with more room for them fewer survive; with 64 MB tests took a tenth more time.
    // Threads of the collector would compete with the other processes.
    execArgv: ['--min-semi-space-size=128', '--max-semi-space-size=128', '--single-threaded-gc'],
    sequence: { sequencer: SpreadWaitingTests },
    testTimeout: TEST_MILLISECONDS,
    hookTimeout: TEST_MILLISECONDS,
    expect: { poll: POLL },
    teardownTimeout: TEST_MILLISECONDS,
    // Code runs as in production, by Node's own type stripping.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
