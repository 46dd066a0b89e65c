/** Tests `havn company` on the command line, with a real database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type CommandResult, runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'

const NORRSKEN = ['--country', 'se', '--number', '559990-1005']
const NAMED = ['--name', 'Norrsken Handel AB']
/** Each command is a process of its own; a busy machine takes seconds for one. */
const TEST_MILLISECONDS = 90_000
let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
  await havn('partner', 'create', 'Nordkontor')
  await havn('partner', 'create', 'Nordlønn')
})
afterAll(() => database.drop())

async function havn(...words: string[]): Promise<CommandResult> {
  const env = { DATABASE_URL: database.connectionString, HAVN_OPERATOR: 'Ingrid' }
  return await runHavnCommand(words, env)
}

describe('havn company', { timeout: TEST_MILLISECONDS }, () => {
  it('registers, onboards and permits a company to pay to other countries', async () => {
    expect((await havn('company', 'list', 'Nordkontor')).out).toBe('Nordkontor has no company.\n')
    const added = await havn('company', 'add', 'Nordkontor', ...NORRSKEN, ...NAMED, '--account-information-only')
    expect(added).toEqual({ code: 0, error: '', out: 'Nordkontor may act for Norrsken Handel AB (SE 5599901005).\n' })
    const on = ['company', 'international', 'on', 'Nordkontor', ...NORRSKEN]
    expect(await havn(...on)).toMatchObject({
      code: 1,
      error: 'havn: Norrsken Handel AB is registered for account information only: onboard it first\n',
    })
    await havn('company', 'onboard', 'Nordkontor', ...NORRSKEN)
    expect((await havn(...on)).out).toBe(
      'Norrsken Handel AB (SE 5599901005): onboarding onboarded, subscription active, international allowed.\n',
    )
  })

  it('ends a subscription and renames a company, once, and shows who did what', async () => {
    await havn('company', 'add', 'Nordlønn', ...NORRSKEN, ...NAMED)
    const off = ['company', 'subscription', 'off', 'Nordlønn', ...NORRSKEN]
    const state =
      'Norrsken Handel AB (SE 5599901005): onboarding onboarded, subscription inactive, international not allowed'
    expect((await havn(...off)).out).toBe(`${state}.\n`)
    expect((await havn(...off)).out).toBe(`${state} (as before).\n`)
    await havn('company', 'rename', 'Nordlønn', ...NORRSKEN, '--to', 'Norrsken Gruppen AB')

    const listed = await havn('company', 'list', 'Nordlønn')
    expect(listed.out).toMatch(/SE\s+5599901005\s+Norrsken Gruppen AB\s+onboarded\s+inactive\s+not allowed\n/)
    const { out } = await havn('company', 'show', 'Nordlønn', ...NORRSKEN)
    expect(out).toMatch(/^company\s+Norrsken Gruppen AB \(SE 5599901005\)\npartner\s+Nordlønn\nid\s+\S{36}\n/)
    const done = [...out.matchAll(/Z {2,}system user Ingrid {2}(\S.*?) {2}/g)].map(([, what]) => what)
    expect(done).toEqual(['company added', 'subscription ended', 'company renamed'])
    expect(out).toContain('{"to":{"name":"Norrsken Gruppen AB"},"from":{"name":"Norrsken Handel AB"}}')
  })

  it.each([
    [['add', 'Nordkontor', ...NORRSKEN], "required option '--name <name>' not specified"],
    [['add', 'Nobody', ...NORRSKEN, '--name', 'N'], 'Unknown partner Nobody'],
    [['add', 'Nordkontor', '--country', 'NO', '--number', '123', '--name', 'N'], 'is not nine digits'],
    [
      ['add', 'Nordkontor', '--country', 'IS', '--number', '123', '--name', 'N'],
      'a country that is not served here (IS)',
    ],
    [['show', 'Nordkontor', '--country', 'DK', '--number', '99001100'], 'The partner has no company DK 99001100'],
    [['subscription', 'maybe', 'Nordkontor', ...NORRSKEN], 'Allowed choices are on, off'],
    [['rename', 'Nordkontor', ...NORRSKEN, '--to', ' '], 'The name must be 1 to 200 printable characters'],
    [['remove', 'Nordkontor'], "unknown command 'remove'"],
  ])('rejects %j with the error, and no stack', async (words, wrong) => {
    const { code, error } = await havn('company', ...words)
    expect(code).toBe(1)
    expect(error).toContain(wrong)
    expect(error).not.toMatch(/\.ts:|at async/)
  })

  it('explains in its help how to name a company, with example commands', async () => {
    const { out } = await havn('company', '--help')
    for (const word of ['add', 'list', 'show', 'subscription', 'international', 'onboard', 'rename', '559990-1005']) {
      expect(out).toContain(word)
    }
  })
})
