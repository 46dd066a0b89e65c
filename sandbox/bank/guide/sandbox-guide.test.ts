/** Tests that docs/sandbox.md matches the bank's tables. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scriptedUsers } from '../authorisations/scripted-users.ts'
import { loadDemoFixture } from '../load-fixture.ts'
import { outcomes } from '../outcomes/scripted-outcome-table.ts'
import { sandboxGuide } from './sandbox-guide.ts'

const guide = sandboxGuide(loadDemoFixture())

test('docs/sandbox.md is what `npm run sandbox-guide` writes', () => {
  expect(readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')).toBe(guide)
})

test('the guide contains every outcome, scripted user, bank, person and account', () => {
  const { banks, users, accounts, receivers } = loadDemoFixture()
  const named = [
    ...outcomes.map(({ amount }) => `\`${amount}.00\``),
    ...scriptedUsers.map(({ name }) => name),
    ...banks.map(({ bic }) => `\`${bic}\``),
    ...users.map(({ id }) => `\`${id}\``),
    ...accounts.map(({ bban }) => `\`${bban}\``),
    ...receivers.map(({ number }) => `\`${number}\``),
  ]
  expect(named.filter((name) => !guide.includes(name))).toEqual([])
})
