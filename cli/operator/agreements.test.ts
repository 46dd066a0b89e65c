/** Tests `havn agreement` on the command line, with a real database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateMasterKeyLine } from '../../gateway/platform/crypto/envelope-encryption.ts'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type CommandResult, runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'

const COMPANY = ['--country', 'no', '--number', '988 077 917']
const FILE_BANK = ['FILENO22', '--name', 'Filbanken', '--country', 'NO', '--profile', 'norwegian-files']
const AGREED = ['--bank', 'fileno22', ...COMPANY, '--agreement', 'CUSTOMER-7', '--account', '8601 11 17947']
/** Each command is a process of its own; a busy machine takes seconds for one. */
const TEST_MILLISECONDS = 120_000
let database: FreshDatabase
let folder: string

beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'havn-agreements-'))
  await writeFile(join(folder, 'master.key'), generateMasterKeyLine('test'))
  await havn('partner', 'create', 'Nordlønn')
  await havn('company', 'add', 'Nordlønn', ...COMPANY, '--name', 'Nordlys AS')
}, TEST_MILLISECONDS)
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

async function havn(...words: string[]): Promise<CommandResult> {
  const env = {
    DATABASE_URL: database.connectionString,
    HAVN_MASTER_KEY_FILE: join(folder, 'master.key'),
    HAVN_MODE: 'sandbox',
    HAVN_OPERATOR: 'Ingrid',
  }
  return await runHavnCommand(words, env)
}

describe('havn agreement', { timeout: TEST_MILLISECONDS }, () => {
  it('creates, lists and ends an agreement of a company with a bank that accepts files', async () => {
    const put = await havn('bank', 'put', ...FILE_BANK, '--connector', 'iso20022', '--address', 'https://bank.example')
    expect(put).toMatchObject({ code: 1, error: expect.stringContaining('is not file:///folder or sftp://user@host') })
    await havn('bank', 'put', ...FILE_BANK, '--connector', 'iso20022', '--address', 'sftp://havn@bank.example/havn')
    expect((await havn('agreement', 'list', 'Nordlønn')).out).toBe('Nordlønn has no agreement.\n')
    const created = await havn('agreement', 'create', 'Nordlønn', ...AGREED)
    expect(created).toMatchObject({ code: 0, error: '' })
    const [id = ''] = /[0-9a-f-]{36}/.exec(created.out) ?? []
    const listed = (await havn('agreement', 'list', 'Nordlønn')).out
    expect(listed).toMatch(new RegExp(`${id} +ACCEPTED +FILENO22 +NO 988077917 +CUSTOMER-7 +86011117947`))
    expect((await havn('agreement', 'end', 'Nordlønn', id)).out).toBe('The agreement is ended.\n')
    expect((await havn('agreement', 'end', 'Nordlønn', id)).out).toBe('The agreement had ended before.\n')
  })

  it('names the error in invalid arguments', async () => {
    const until = await havn('agreement', 'create', 'Nordlønn', ...AGREED, '--until', 'tomorrow')
    expect(until).toMatchObject({ code: 1, error: 'havn: tomorrow is not a date: use YYYY-MM-DD\n' })
    const end = await havn('agreement', 'end', 'Nordlønn', 'CUSTOMER-7')
    expect(end.error).toBe('havn: CUSTOMER-7 is not the id of an agreement; havn agreement list prints the ids\n')
  })
})
