/** Writes the guide to the sandbox, docs/sandbox.md: its tables are the bank's own, so that it cannot say anything else. */
import { readFileSync } from 'node:fs'
import type { World } from '../fixture.ts'
import { accountTables, bankTable, peopleTable, receiverTable } from './guide-fixture-tables.ts'
import { outcomeTables, userTables } from './guide-outcome-tables.ts'
import { signingTable } from './guide-sca-table.ts'

/** The text around the tables; a line `{{name}}` is where a table goes. */
const FRAME = new URL('./guide-frame.md', import.meta.url)

/** The whole guide. */
export function sandboxGuide(world: World): string {
  const parts: Readonly<Record<string, string>> = {
    outcomes: outcomeTables(),
    users: userTables(),
    banks: bankTable(world),
    signing: signingTable(world),
    people: peopleTable(world),
    accounts: accountTables(world),
    receivers: receiverTable(world),
  }
  return readFileSync(FRAME, 'utf8').replace(/^\{\{(\w+)\}\}$/gm, (_line, name: string) => {
    const part = parts[name]
    if (part === undefined) {
      throw new Error(`The guide has no part ${name}`)
    }
    return part
  })
}
