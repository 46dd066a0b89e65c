/** Runs journeys of the tests through PgBouncer in transaction mode, on the PostgreSQL of Debian's package. */
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { startPgBouncer } from './pgbouncer.ts'

const JOURNEYS = ['pay-a-supplier', 'payroll', 'webhooks', 'payment-crash', 'payment-with-exchange']
const COUNT = /Tests\D+(\d+) passed/

export async function runPooledTests(folder: string): Promise<string> {
  const postgres = await startDebianPostgres(join(folder, 'postgres'))
  const pooler = await startPgBouncer(join(folder, 'pgbouncer'), postgres.url, { command: ['pgbouncer'], settings: [] })
  try {
    const version = (await runProgram('pgbouncer', ['--version'], { folder })).split('\n')[0] ?? ''
    const tests = JOURNEYS.map((name) => `gateway/journeys/${name}.test.ts`)
    const variables = {
      HAVN_TEST_DATABASE_URL: new URL('/postgres', postgres.url).href,
      HAVN_TEST_POOLER: new URL(pooler.through(postgres.url.href)).host,
    }
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
    const printed = await runProgram(process.execPath, [vitest, 'run', ...tests], { folder: ROOT, variables })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal.
    const count = COUNT.exec(printed.replaceAll(/\u001b\[\d+m/g, ''))?.[1]
    return `${count} tests of ${JOURNEYS.length} journeys, PostgreSQL ${postgres.version}, ${version}`
  } finally {
    await pooler.stop()
    await postgres.stop()
  }
}
