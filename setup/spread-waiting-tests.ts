/** Orders the test files so that those that mostly wait are spread over the run: others use the processors meanwhile. */
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROOT } from './source-files.ts'

/** They wait for programs, timeouts and leases in wall time, for more than twice as long as they use a processor. */
export const WAITING_TESTS = [
  'gateway/orders/submit/submission-worker.test.ts',
  'gateway/journeys/database-outage.test.ts',
  'cli/start.test.ts',
  'cli/doctor/network.test.ts',
  'gateway/webhooks/deliveries/dispatch/webhook-dispatcher.test.ts',
  'launcher/embedded-postgres/embedded-postgres.test.ts',
  'cli/operator/certificates.test.ts',
  'gateway/journeys/payroll-by-file.test.ts',
  'console/live/live.test.ts',
  'gateway/platform/database/migrate.test.ts',
  'launcher/roles/rate-limits.test.ts',
  'cli/doctor/doctor.test.ts',
  'gateway/platform/database/outcome-recorder.test.ts',
  'gateway/platform/database/connection-errors.test.ts',
  'gateway/webhooks/deliveries/run-delivery-loop.test.ts',
  'gateway/platform/observability/trace.test.ts',
]

/** The runner's own order, the longest or largest file first, with the waiting ones at even distances. */
export class SpreadWaitingTests extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const paths = new Set(WAITING_TESTS.map((path) => join(ROOT, path)))
    const sorted = await super.sort(files)
    const waiting = sorted.filter(({ moduleId }) => paths.has(moduleId))
    const others = sorted.filter(({ moduleId }) => !paths.has(moduleId))
    const distance = Math.ceil(others.length / Math.max(1, waiting.length))
    return [
      ...waiting.flatMap((file, n) => [file, ...others.slice(n * distance, (n + 1) * distance)]),
      ...others.slice(waiting.length * distance),
    ]
  }
}
