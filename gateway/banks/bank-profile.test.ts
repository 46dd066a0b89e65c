/** Shows that the profiles of this release are sound, and that a mistake in one is named. */
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import shipped from '../../data/bank-profiles/norwegian-redirect.json' with { type: 'json' }
import { BANK_PROFILES_FOLDER, parseBankProfile, readBankProfiles } from './bank-profile.ts'
import { connectorsByName } from './connectors.ts'

describe('bank profiles', () => {
  test('of this release are all sound, and each dialect is understood by a connector', async () => {
    const profiles = await readBankProfiles(BANK_PROFILES_FOLDER)
    expect([...profiles.keys()]).toContain('norwegian-redirect')
    for (const { dialect } of profiles.values()) {
      const understood = Object.values(connectorsByName).filter(({ checkDialect }) => isAccepted(checkDialect, dialect))
      expect(understood).not.toHaveLength(0)
    }
  })

  test('name a source for each of their fields', async () => {
    const sources = await readFile(new URL('README.md', BANK_PROFILES_FOLDER), 'utf8')
    const fields = [...Object.keys(shipped), ...Object.keys(shipped.constraints), ...Object.keys(shipped.dialect)]
    const untold = fields.filter((field) => !['name', 'constraints', 'dialect', 'branches'].includes(field))
    expect(untold.filter((field) => !sources.includes(field))).toEqual([])
  })

  test.each([
    ['a misspelt member', { cutOfTime: '14:00' }, 'must not have additional properties'],
    ['a cut-off that is no time', { cutOffTime: '25:00' }, '/cutOffTime must match pattern'],
    ['a product that is none', { products: ['LOANS'] }, '/products/0'],
    ['a pattern that is none', { userId: { ...shipped.userId, pattern: '(' } }, '/userId/pattern must match format'],
    ['an example that its pattern refuses', { userId: { ...shipped.userId, example: 'x' } }, '/userId/example'],
    ['an unknown time zone', { timeZone: 'Europe/Atlantis' }, '/timeZone Europe/Atlantis is unknown'],
    ['an amount finer than its currency', { amountMax: { NOK: '1.001' } }, '/amountMax/NOK is no amount: 1.001'],
    ['another name than its file', { name: 'other' }, "/name is other, which is not the file's name"],
  ])('with %s are refused', (_what, change, fault) => {
    const text = JSON.stringify({ ...shipped, ...change })
    expect(() => parseBankProfile('norwegian-redirect.json', text)).toThrow(fault)
  })

  test('that are no JSON are refused by their file’s name', () => {
    expect(() => parseBankProfile('broken.json', '{')).toThrow('Bank profile broken.json is no JSON')
  })
})

function isAccepted(check: (dialect: unknown) => unknown, dialect: unknown): boolean {
  try {
    check(dialect)
    return true
  } catch {
    return false
  }
}
