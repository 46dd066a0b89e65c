/** Runs a sandbox bank in the test's process, with validated responses, and a third party to call it. */

import { openLog } from '../../gateway/platform/observability/log.ts'
import { freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { freeBankPorts } from '../../gateway/testing/gateway/free-ports.ts'
import { startOnBankDay } from '../../gateway/testing/gateway/start-on-bank-day.ts'
import { releaseParts } from '../../gateway/testing/release-parts.ts'
import { type SandboxBank, type SandboxBankSettings, startSandboxBank } from '../bank/bank.ts'
import { unhurriedFixture } from './unhurried-fixture.ts'
import { createXs2aResponseValidator } from './xs2a-response-validator.ts'

/** A bank with a database of its own. */
export type TestBank = {
  readonly bank: SandboxBank
  readonly connectionString: string
  /** Closes the bank, drops its database, and fails when a response violated the standard. */
  close(): Promise<void>
}

const validate = createXs2aResponseValidator()

/** Starts a bank on free ports, on a morning on which all banks are open. */
export async function startTestBank(changes: Partial<SandboxBankSettings> = {}): Promise<TestBank> {
  const database = await freshDatabase()
  await startOnBankDay(database.connectionString)
  const bank = await openBank(database.connectionString, changes)
  const testBank: TestBank = {
    bank,
    connectionString: database.connectionString,
    close: async () => {
      await bank.close()
      await database.drop()
      releaseParts(testBank)
      requireNoViolations(bank)
    },
  }
  return testBank
}

/** Starts a validated bank on a database that may exist already. */
export async function openBank(
  connectionString: string,
  changes: Partial<SandboxBankSettings> = {},
): Promise<SandboxBank> {
  return await startSandboxBank({
    connectionString,
    host: '127.0.0.1',
    pagesPort: 0,
    xs2aPort: await freeBankPorts(),
    log: openLog({ program: 'sandbox-bank', level: 'error' }),
    fixture: unhurriedFixture(),
    validate,
    ...changes,
  })
}

/** Fails when a response of the bank violated the standard. */
export function requireNoViolations(bank: SandboxBank): void {
  const violations = bank.violations()
  if (violations.length > 0) {
    throw new Error(`The sandbox bank broke the standard:\n${violations.join('\n')}`)
  }
}
