/** Tests that the bench runs from start to end and prints every figure; whether the bars are met is for the bench itself. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const BENCH = fileURLToPath(new URL('bench.ts', import.meta.url))
/** A whole Havn starts and ends, and pgbench may have to be installed. */
const TEST_MILLISECONDS = 180_000

it('prints what was measured, where, and beside which bar', { timeout: TEST_MILLISECONDS }, async () => {
  const { stdout } = await run(process.execPath, [BENCH, '--short'])
  expect(stdout).toMatch(/^Machine: \d+ cores \(.+\), Node \d+\.\d+\.\d+, PostgreSQL \d+\.\d+ \(fsync on\)$/m)
  expect(stdout).toMatch(/^ {2}durable initiations +[1-9]\d* per second$/m)
  expect(stdout).toMatch(/^ {2}pgbench, the two statements +[1-9]\d* per second$/m)
  expect(stdout).toMatch(/^ {2}ratio +\d+\.\d\d \(bar: at least 0\.4\) (met|missed)$/m)
  expect(stdout).toMatch(/^ {2}added to a bank call, p50 +\d+\.\d ms \(bar: at most 5 ms\) (met|missed)$/m)
  expect(stdout).toMatch(/^ {2}added to a bank call, p99 +\d+\.\d ms \(bar: at most 25 ms\) (met|missed)$/m)
})
