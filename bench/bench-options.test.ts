/** Tests the command line of the bench. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { BENCH_PARTS, parseBenchOptions } from './bench-options.ts'

const run = promisify(execFile)
const BENCH = fileURLToPath(new URL('bench.ts', import.meta.url))

describe('the options of the bench', () => {
  it('name the parts to measure, in the order of the bench; without any, all are measured', () => {
    expect(parseBenchOptions(['--payrolls', '--short', '--clock'])).toEqual({
      run: true,
      parts: ['--clock', '--payrolls'],
      size: 'short',
    })
    expect(parseBenchOptions([])).toEqual({ run: true, parts: BENCH_PARTS, size: 'full' })
    expect(parseBenchOptions(['--console', '--tenth'])).toMatchObject({ parts: ['--console'], size: 'tenth' })
  })

  it('are printed with --help, and nothing is measured', async () => {
    const { stdout } = await run(process.execPath, [BENCH, '--help', '--idle'])
    for (const option of [...BENCH_PARTS, '--short', '--tenth', '--help']) {
      expect(stdout).toContain(`  ${option} `)
    }
    expect(stdout).not.toContain('Machine:')
  })

  it('that are unknown end the bench with an error that names the known ones', async () => {
    const failed = run(process.execPath, [BENCH, '--webhook'])
    const stderr = expect.stringMatching(/^Unknown option: --webhook\. The options are --initiations, .*--help$/m)
    await expect(failed).rejects.toMatchObject({ code: 1, stdout: '', stderr })
  })
})
