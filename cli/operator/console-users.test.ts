/** Tests `havn console` on the command line, with a real database. */
import pg from 'pg'
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
    const [first, second] = [
      await havn('invite', 'Astrid Lie'),
      await havn('invite', 'Astrid Lie', '--url', 'https://havn.example/'),
    ]
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
    expect((await havn('invite', 'Eva Sund', '--role', 'operator-reader')).out).toMatch(/^Link for Eva Sund/)
    for (const other of [
      ['--role', 'operator'],
      ['--partner', 'Nordkontor'],
    ]) {
      expect(await havn('invite', 'Eva Sund', ...other)).toMatchObject({
        code: 1,
        error: expect.stringMatching(/Eva Sund is active as operator-reader: disable the user first/),
      })
    }
    expect((await havn('users')).out).toMatch(/Eva Sund\s+operator-reader\s+-\s+active\n/)
  })

  it('lists the sessions of all users, and ends those of one', async () => {
    const client = new pg.Client(database.connectionString)
    await client.connect()
    await client.query(
      `insert into console_sessions (id, token_hash, subject, name, roles, user_agent, created_at, last_used_at)
       select gen_random_uuid(), n::text, 'https://login.example ' || (n % 2), 'User ' || (n % 2), '{operator}', 'Firefox', now(), now()
       from generate_series(1, 3) n`,
    )
    await client.end()
    expect((await havn('sessions')).out).toMatch(
      /User 1\s+https:\/\/login\.example 1\s+operator\s+-\s+\S+Z\s+\S+Z\s+Firefox/,
    )
    expect((await havn('end-sessions', 'User 1')).out).toBe('Sessions ended: 2.\n')
    expect((await havn('sessions')).out).not.toContain('User 1')
    expect(await havn('end-sessions', 'User 1')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/No open session/),
    })
  })

  it.each([
    ['without a partner', ['invite', 'X', '--role', 'partner-finance'], /Choose a partner/],
    [
      'with mixed roles',
      ['invite', 'X', '--role', 'operator', 'partner-finance', '--partner', 'Nordkontor'],
      /has one role/,
    ],
    ['with an unknown role', ['invite', 'X', '--role', 'root'], /is invalid/],
    ['with what is no URL', ['invite', 'X', '--url', 'havn.example'], /It must be an http or https URL/],
    ['of an unknown user', ['disable', 'Nobody'], /Unknown user Nobody/],
  ])('rejects a command %s', async (_what, words, error) => {
    expect(await havn(...words)).toMatchObject({ code: 1, error: expect.stringMatching(error) })
  })
})
