/** Runs a sandbox bank in the test's own process, judged by the standard, and speaks to it as a third party would. */

import { openLog } from '../../gateway/platform/observability/log.ts'
import { freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { beginOnBankMorning } from '../../gateway/testing/gateway/start-on-bank-day.ts'
import { type SandboxBank, type SandboxBankSettings, startSandboxBank } from '../bank/bank.ts'
import { standardJudge } from './xs2a-response-validator.ts'

/** A bank on a database of its own. */
export type BankForTests = {
  readonly bank: SandboxBank
  readonly connectionString: string
  /** Closes the bank, drops its database, and fails when any of its answers broke the standard. */
  close(): Promise<void>
}

const judge = standardJudge()

/** Starts a bank on free ports, on a morning on which all banks are open. */
export async function startBankForTests(changes: Partial<SandboxBankSettings> = {}): Promise<BankForTests> {
  const database = await freshDatabase()
  await beginOnBankMorning(database.connectionString)
  const bank = await openBank(database.connectionString, changes)
  return {
    bank,
    connectionString: database.connectionString,
    close: async () => {
      await bank.close()
      await database.drop()
      requireNoViolations(bank)
    },
  }
}

/** Starts a judged bank on a database that may have served one before. */
export async function openBank(
  connectionString: string,
  changes: Partial<SandboxBankSettings> = {},
): Promise<SandboxBank> {
  return await startSandboxBank({
    connectionString,
    host: '127.0.0.1',
    pagesPort: 0,
    xs2aPort: 0,
    log: openLog({ program: 'sandbox-bank', level: 'error' }),
    judge,
    ...changes,
  })
}

/** Fails when the bank gave an answer that the standard does not allow. */
export function requireNoViolations(bank: SandboxBank): void {
  const violations = bank.violations()
  if (violations.length > 0) {
    throw new Error(`The sandbox bank broke the standard:\n${violations.join('\n')}`)
  }
}
