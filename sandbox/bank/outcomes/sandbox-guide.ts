/** Renders docs/sandbox.md; its tables come from the bank's own data and cannot differ from it. */
import { readFileSync } from 'node:fs'
import type { BankFixture } from '../fixture.ts'
import { codesWithoutTriggerTable, errorTriggerTable } from './guide-error-table.ts'
import { accountTables, bankTable, receiverTable, userTable } from './guide-fixture-tables.ts'
import { outcomeTables, userTables } from './guide-outcome-tables.ts'
import { scaTable } from './guide-sca-table.ts'

/** The text around the tables; a line `{{name}}` marks the position of a table. */
const FRAME = new URL('./guide-frame.txt', import.meta.url)

export function sandboxGuide(fixture: BankFixture): string {
  const parts: Readonly<Record<string, string>> = {
    outcomes: outcomeTables(),
    errors: errorTriggerTable(),
    exceptions: codesWithoutTriggerTable(),
    users: userTables(),
    banks: bankTable(fixture),
    signing: scaTable(fixture),
    people: userTable(fixture),
    accounts: accountTables(fixture),
    receivers: receiverTable(fixture),
  }
  return readFileSync(FRAME, 'utf8').replace(/^\{\{(\w+)\}\}$/gm, (_line, name: string) => {
    const part = parts[name]
    if (part === undefined) {
      throw new Error(`The guide has no part ${name}`)
    }
    return part
  })
}
