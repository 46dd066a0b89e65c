/** Renders docs/sandbox.md; its tables come from the bank's own data and cannot differ from it. */
import { readFileSync } from 'node:fs'
import type { BankFixture, BankProfile } from '../fixture.ts'
import { accountTables, bankTable, receiverTable, table, userTable } from './guide-fixture-tables.ts'
import { codesWithoutTriggerTable, errorTriggerTable, outcomeTables, userTables } from './guide-outcome-tables.ts'

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

const apps: Readonly<Record<BankProfile['signing']['app'], string>> = {
  none: '–',
  notified: 'the bank notifies the app of the given user',
  image: 'an animated QR code, as image and text',
  'image-link': 'a link to an animated QR code; without `Qr-Code-Required: true` a start token',
  'start-token': 'a start token',
}

/** One line per approach, with its banks. */
function scaTable({ banks }: BankFixture): string {
  const byWay = Map.groupBy(banks, (bank) => `${browserText(bank)}|${apps[bank.signing.app]}`)
  const rows = [...byWay].map(([way, having]) => [having.map(({ name }) => name).join(', '), ...way.split('|')])
  return table(['Banks', 'In a browser', 'In an app'], rows)
}

function browserText({ signing, oauth }: BankProfile): string {
  switch (signing.redirect) {
    case 'none':
      return '–'
    case 'implicit':
      return `a link in the response to the order${signing.confirmation ? '; counts once the confirmation code was submitted' : ''}`
    case 'explicit':
      return oauthTexts[oauth]
  }
}

const oauthTexts: Readonly<Record<BankProfile['oauth'], string>> = {
  none: 'a link',
  integrated: 'an OAuth grant',
  'pre-step': 'a link, after an OAuth grant for the sign-in',
}
