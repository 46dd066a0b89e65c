/** Tests `havn console` on the command line, with a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type CommandResult, runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'

/** Each command is a process of its own; a busy machine takes seconds for one. */
const TEST_MILLISECONDS = 90_000
let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
  await havn('partner', 'create', 'Nordkontor')
})
afterAll(() => database.drop())

async function havn(...words: string[]): Promise<CommandResult> {
  return await runHavnCommand(['console', ...words].slice(words[0] === 'partner' ? 1 : 0), {
    DATABASE_URL: database.connectionString,
    HAVN_OPERATOR: 'Ingrid',
    HAVN_BASE_URL: 'https://havn.example',
  })
}

describe('havn console', { timeout: TEST_MILLISECONDS }, () => {
  it('invites the first administrator, and again with another link', async () => {
    const link =
      /^Link for Astrid Lie \(operator-administrator\), valid once within 24 hours:\nhttps:\/\/havn\.example\/console\/invitation\/([\w-]{43})\n$/
    const [first, second] = [await havn('invite', 'Astrid Lie'), await havn('invite', 'Astrid Lie')]
    expect([first.out, second.out]).toEqual([expect.stringMatching(link), expect.stringMatching(link)])
    expect(link.exec(first.out)?.[1]).not.toBe(link.exec(second.out)?.[1])
  })

  it('lists users and disables them', async () => {
    await havn('invite', 'Eva Sund', '--role', 'partner-finance', 'partner-payroll', '--partner', 'Nordkontor')
    expect((await havn('users')).out).toMatch(/Eva Sund\s+partner-finance, partner-payroll\s+Nordkontor\s+active\n/)
    expect((await havn('disable', 'Eva Sund')).out).toBe('Eva Sund is disabled.\n')
    expect((await havn('disable', 'Eva Sund')).out).toBe('Eva Sund was disabled before.\n')
    expect((await havn('users')).out).toMatch(/Eva Sund .* disabled\n/)
    expect((await havn('invite', 'Eva Sund', '--role', 'operator-reader')).out).toMatch(
      /^Link for Eva Sund \(operator-reader\)/,
    )
    expect((await havn('users')).out).toMatch(/Eva Sund\s+operator-reader\s+-\s+active\n/)
  })

  it.each([
    ['without a partner', ['invite', 'X', '--role', 'partner-finance'], /Choose a partner/],
    [
      'with mixed roles',
      ['invite', 'X', '--role', 'operator', 'partner-finance', '--partner', 'Nordkontor'],
      /has one role/,
    ],
    ['with an unknown role', ['invite', 'X', '--role', 'root'], /is invalid/],
    ['of an unknown user', ['disable', 'Nobody'], /Unknown user Nobody/],
  ])('rejects a command %s', async (_what, words, error) => {
    expect(await havn(...words)).toMatchObject({ code: 1, error: expect.stringMatching(error) })
  })
})
