/** Tests the operator's commands on the command line, with a real database. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseMasterKeys } from '../../gateway/platform/crypto/envelope-encryption.ts'
import { MIGRATION_LOCK } from '../../gateway/platform/database/migration/migration-session.ts'
import { type FreshDatabase, freshDatabase } from '../../gateway/testing/database/fresh-database.ts'
import { type CommandResult, runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { havnProgram } from '../program.ts'

const LAUNCHER = fileURLToPath(new URL('../havn', import.meta.url))
let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

async function havn(...words: string[]): Promise<CommandResult> {
  return await havnWith({}, ...words)
}

async function havnWith(settings: Readonly<Record<string, string>>, ...words: string[]): Promise<CommandResult> {
  return await runHavnCommand(words, { ...environment(), ...settings })
}

const environment = () => ({ DATABASE_URL: database.connectionString, HAVN_OPERATOR: 'Ingrid' })

/** The output of a command, run in this process: other tests show that its arguments are parsed. */
async function printedBy(...words: string[]): Promise<string> {
  const [out, error] = [vi.spyOn(console, 'log').mockReturnValue(), vi.spyOn(console, 'error').mockReturnValue()]
  vi.stubEnv('DATABASE_URL', database.connectionString)
  try {
    const program = await havnProgram(words)
    await program.parseAsync(words, { from: 'user' })
    expect(error.mock.calls).toEqual([])
    return out.mock.calls.map((parts) => parts.join(' ')).join('\n')
  } finally {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  }
}

describe('a command', () => {
  it('that fails is a program that ends by itself, with its exit code', async () => {
    const run = (words: readonly string[], settings: Readonly<Record<string, string>>) =>
      new Promise((resolve) => {
        const env = { PATH: process.env['PATH'], ...environment(), ...settings }
        const child = execFile(LAUNCHER, words, { env }, (_error, out, error) => {
          resolve({ code: child.exitCode, out, error })
        })
      })
    const folder = await mkdtemp(join(tmpdir(), 'havn-fails-'))
    const file = join(folder, 'master.key')
    await havn('keys', 'create', '--file', file)
    const away = { DATABASE_URL: 'postgres://127.0.0.1:1/none', HAVN_MASTER_KEY_FILE: file, HAVN_MODE: 'sandbox' }
    expect(
      await Promise.all([run(['company', 'list', 'Nobody'], {}), run(['bank', 'probe', 'FJORNO22'], away)]),
    ).toEqual([
      { code: 1, out: '', error: expect.stringMatching(/^havn: Unknown partner/) },
      { code: 1, out: '', error: expect.stringMatching(/^havn: The database is not available/) },
    ])
    await rm(folder, { recursive: true })
  })

  it('ends without an error when the reader of its output has ended', async () => {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', `"${LAUNCHER}" --help | true`])
    expect([stdout, stderr]).toEqual(['', ''])
  })
})

describe('every list of an empty database', () => {
  it('says so', async () => {
    const rows = [
      [['partner', 'list'], 'No partners; havn partner create creates one.'],
      [['bank', 'list'], 'The directory has no banks; havn bank put adds one.'],
      [['tasks', 'list'], 'No open tasks.'],
      [['payroll', 'list'], 'No open payrolls.'],
      [['consent', 'expiring'], 'No consent expires within seven days.'],
      [['deal', 'list'], 'No open FX deals.'],
      [['onboarding', 'list'], 'No onboardings.'],
      [['console', 'users'], 'No users; havn console invite invites one.'],
      [['ledger', 'check'], 'The ledger balances.'],
    ] as const
    for (const [words, reported] of rows) {
      expect.soft(await printedBy(...words), words.join(' ')).toBe(reported)
      expect.soft(await printedBy(...words, '--json'), words.join(' ')).toBe('[]')
    }
    expect(await havn('consent', 'expiring')).toEqual({
      code: 0,
      out: 'No consent expires within seven days.\n',
      error: '',
    })
  })
})

describe('havn partner, client', () => {
  it('creates, lists and disables; the secret is printed once', async () => {
    const created = await havn('partner', 'create', 'Fjell ERP', '--callback-origin', 'https://erp.example')
    expect(created.code).toBe(0)
    const secret = /client_secret\s+([\w-]{43})/.exec(created.out)?.[1]
    const clientId = /client_id\s+(\S+)/.exec(created.out)?.[1] ?? ''
    expect(secret).toBeDefined()

    expect(JSON.parse(await printedBy('partner', 'list', '--json'))).toMatchObject([
      {
        name: 'Fjell ERP',
        state: 'enabled',
        clients: [clientId],
        callbackOrigins: ['https://erp.example'],
        agreements: [],
      },
    ])
    const listed = await havn('partner', 'list')
    expect(listed.out).toMatch(new RegExp(`Fjell ERP .* enabled .*${clientId}.*https://erp.example`))
    expect(listed.out).not.toContain(secret)

    const replace = ['partner', 'callback-origins', 'Fjell ERP']
    const replaced = await havn(...replace, 'HTTPS://erp.example/', 'myerp://', 'http://127.0.0.1:7000')
    expect(replaced.out).toBe('Fjell ERP: https://erp.example, myerp:, http://127.0.0.1:7000, within five seconds.\n')
    expect((await havn('partner', 'list')).out).toContain('https://erp.example, myerp:, http://127.0.0.1:7000')
    for (const wrong of ['javascript:', 'https://erp.example/back', 'http://erp.example', 'erp.example', 'https:']) {
      expect(await havn(...replace, wrong), wrong).toMatchObject({ code: 1, error: expect.stringContaining(wrong) })
    }

    expect((await havn('client', 'create', 'Fjell ERP')).out).toMatch(/client_secret/)

    expect((await havn('client', 'payroll', 'on', clientId)).out).toBe(
      `${clientId}: payroll on, within five seconds.\n`,
    )
    expect((await havn('client', 'payroll', 'on', clientId)).out).toBe(`${clientId}: payroll on (as before).\n`)
    expect((await havn('partner', 'list')).out).toContain(`${clientId} (payroll)`)
    expect((await havn('client', 'payroll', 'off', clientId)).code).toBe(0)
    expect((await havn('partner', 'list')).out).not.toContain('(payroll)')
    expect(await havn('client', 'payroll', 'on', 'nobody')).toMatchObject({
      code: 1,
      error: 'havn: Unknown client nobody\n',
    })

    const rotated = await havn('client', 'rotate', clientId, '--overlap-days', '2')
    expect(rotated.out).toMatch(/client_secret\s+[\w-]{43}[\s\S]*The former secret is valid until 20\d\d-/)
    expect((await havn('client', 'revoke-former', clientId)).out).toContain('the former secret is revoked')
    expect((await havn('client', 'disable', clientId)).code).toBe(0)
    expect((await havn('partner', 'disable', 'Fjell ERP')).code).toBe(0)
    expect((await havn('partner', 'list')).out).toMatch(new RegExp(`disabled .*${clientId} \\(disabled\\)`))
  })

  it('rejects a name that exists or is unknown, and an unknown command, with one sentence and no stack', async () => {
    await havn('partner', 'create', 'Twin')
    const again = await havn('partner', 'create', 'Twin')
    expect(again).toMatchObject({ code: 1, error: 'havn: A partner named Twin already exists\n' })
    const unknown = await havn('partner', 'disable', 'Nobody')
    expect(unknown).toMatchObject({
      code: 1,
      error: 'havn: Unknown partner Nobody; havn partner list prints the names and ids\n',
    })
    const unmigrated = database.connectionString.replace(/\/havn_test_\w+/, '/postgres')
    const lacking = await havnWith({ DATABASE_URL: unmigrated }, 'partner', 'list')
    expect(lacking.error).toMatch(/^havn: The database lacks migrations of this release \(.*\): run havn migrate\n$/)
    const misspelt = await havn('partners')
    expect(misspelt.code).toBe(1)
    expect(misspelt.error).toContain("error: unknown command 'partners'")
  })
})

describe('havn company', () => {
  it('adds a verified company to a partner, and rejects an invalid number', async () => {
    await havn('partner', 'create', 'Bre Payroll')
    const company = ['company', 'add', 'Bre Payroll', '--country', 'no', '--name', 'Nordlys Handel AS', '--number']
    expect((await havn(...company, '987654325')).out).toContain('may act for Nordlys Handel AS (NO 987654325)')
    expect((await havn(...company, '987654321')).code).toBe(1)
    expect((await havn('company', 'list', 'Bre Payroll')).out).toMatch(
      /NO\s+987654325\s+Nordlys Handel AS\s+onboarded\s+active/,
    )
  })
})

describe('havn bank', () => {
  it('adds a bank to the directory and prints it', async () => {
    const address = ['--profile', 'norwegian-redirect', '--address', 'https://xs2a.bank.example']
    const put = await havn('bank', 'put', 'FJORNO22', '--name', 'Fjordbanken', '--country', 'NO', ...address)
    expect(put).toMatchObject({ code: 0, error: '' })
    expect((await havn('bank', 'list')).out).toMatch(/FJORNO22\s+NO\s+Fjordbanken\s+norwegian-redirect\s+Operational/)
    const client = new pg.Client(database.connectionString)
    await client.connect()
    const { rows } = await client.query("select actor, action, detail from audit_log where subject_id = 'FJORNO22'")
    await client.end()
    expect(rows).toMatchObject([
      { actor: 'system user Ingrid', action: 'bank created or updated', detail: { name: 'Fjordbanken' } },
    ])
    const respelled = await havn('bank', 'put', 'FJORNO22XXX', '--name', 'Fjord', '--country', 'NO', ...address)
    expect(respelled.out).toMatch(/^FJORNO22 is in the directory/)
    expect((await havn('bank', 'list')).out).toMatch(/^BIC .*\nFJORNO22 +NO +Fjord .*\n$/)
    const wrong = await havn('bank', 'put', 'FJORD', '--name', 'Fjordbanken', '--country', 'NO', ...address)
    expect(wrong.error).toContain('FJORD is not a valid BIC')
    const noUrl = ['--profile', 'norwegian-redirect', '--address', 'bank.example']
    const unreachable = await havn('bank', 'put', 'FJORNO22', '--name', 'Fjordbanken', '--country', 'no ', ...noUrl)
    expect(unreachable.error).toContain('the address bank.example is not ')
    const versioned = ['--address', 'https://xs2a.fjordbanken.example/psd2/v1', '--profile', 'norwegian-redirect']
    const doubled = await havn('bank', 'put', 'FJORNO22', '--name', 'Fjordbanken', '--country', 'NO', ...versioned)
    expect(doubled.error).toContain('the base URL is https://xs2a.fjordbanken.example/psd2')
  })

  describe('with profiles of its own', () => {
    const settings = () => ({ HAVN_BANK_PROFILES_DIR: folder })
    const shipped = new URL('../../data/bank-profiles/norwegian-redirect.json', import.meta.url)
    let folder: string
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'havn-profiles-'))
    })
    afterEach(() => rm(folder, { recursive: true }))
    const write = async (name: string, changes: object) => {
      const profile = { ...JSON.parse(await readFile(shipped, 'utf8')), name, ...changes }
      await writeFile(join(folder, `${name}.json`), JSON.stringify(profile))
    }

    it('validates profiles and prints the errors of an invalid one', async () => {
      expect((await havnWith(settings(), 'bank', 'check-profile')).error).toContain('copy one of data/bank-profiles')
      expect((await havn('bank', 'check-profile')).error).toContain('set HAVN_BANK_PROFILES_DIR')
      await write('good', {})
      expect(await havnWith(settings(), 'bank', 'check-profile')).toMatchObject({
        code: 0,
        out: `${join(folder, 'good.json')}: usable\n`,
      })
      await write('bad', { timeZone: 'Europe/Atlantis', cutOff: '14:00' })
      await write('mute', { dialect: { accounts: 'giro' } })
      const { code, out, error } = await havnWith(settings(), 'bank', 'check-profile')
      expect(code).toBe(1)
      expect(out).toMatch(
        /bad\.json: not usable\n {2}- \/cutOff: is not a field.*\n {2}- \/timeZone: Europe\/Atlantis is/,
      )
      expect(out).toMatch(/mute\.json: not usable\n( {2}- \/dialect.*\n)+/)
      expect(error).toContain('Invalid profiles: 2 of 3')
      const two = [join(folder, 'good.json'), join(folder, 'none.json')]
      expect(await havn('bank', 'check-profile', ...two)).toMatchObject({
        code: 1,
        out: expect.stringMatching(/good\.json: usable\n.*none\.json: not usable\n {2}- cannot be read \(ENOENT\)/),
      })
      const short = JSON.parse(await readFile(shipped, 'utf8')).constraints
      await write('short', { constraints: { ...short, maxUnstructuredRemittanceInfoLengthToOtherBanks: 11 } })
      expect((await havn('bank', 'check-profile', join(folder, 'short.json'))).out).toContain(
        'No exchange is paid from',
      )
    })

    it('adds a bank with a valid profile, and prints the error of an invalid one', async () => {
      const words = ['--name', 'Egenbanken', '--country', 'NO', '--address', 'https://own.bank.example', '--profile']
      await write('own', {})
      const put = await havnWith(settings(), 'bank', 'put', 'OWNBNO22', ...words, 'own')
      expect(put).toMatchObject({
        code: 0,
        out: expect.stringContaining(`HAVN_BANK_PROFILES_DIR names for them: ${folder}`),
      })
      expect((await havn('bank', 'put', 'OWNBNO22', ...words, 'own')).error).toContain('there is no profile own')
      await write('own', { oauth: 'sometimes' })
      expect((await havnWith(settings(), 'bank', 'put', 'OWNBNO22', ...words, 'own')).error).toContain(
        'Bank profile own.json is not usable: /oauth',
      )
      const missing = { HAVN_BANK_PROFILES_DIR: join(folder, 'none') }
      expect((await havnWith(missing, 'bank', 'put', 'OWNBNO22', ...words, 'own')).error).toContain('create the folder')
    })
  })
})

describe('havn tasks', () => {
  it('prints that there are no tasks, and that a task does not exist', async () => {
    expect((await havn('tasks', 'list')).out).toBe('No open tasks.\n')
    const missing = await havn('tasks', 'show', '019a0000-0000-7000-8000-000000000000')
    expect(missing).toMatchObject({
      code: 1,
      error: 'havn: Task 019a0000-0000-7000-8000-000000000000 does not exist\n',
    })
    const malformed = await havn('tasks', 'show', 'FJORNO22')
    expect(malformed.error).toBe('havn: FJORNO22 is not the id of a task; havn tasks list prints the ids\n')
  })
})

describe('havn migrate', () => {
  it('changes nothing in a migrated database', async () => {
    expect((await havn('migrate')).out).toMatch(/^The database is at migration \d+\n$/)
  })

  it('ends with 1, and says what blocks it, when it may wait no longer', async () => {
    const client = new pg.Client({ connectionString: database.connectionString, application_name: 'another run' })
    await client.connect()
    const { rows } = await client.query<{ number: number; name: string }>(
      'delete from migrations where number = (select max(number) from migrations) returning number, name',
    )
    await client.query(`begin; select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const { code, error } = await havn('migrate', '--wait-seconds', '0')
    await client.query('rollback')
    await client.query('insert into migrations (number, name) values ($1, $2)', [rows[0]?.number, rows[0]?.name])
    await client.end()
    expect(code).toBe(1)
    expect(error).toMatch(/^havn: .*it waited for another havn migrate, blocked by pid \d+ \(another run, /)
    expect((await havn('migrate', '--wait-seconds', '-1')).error).toContain('must be a whole number of seconds')
  })

  it('of the release before changes nothing in a database of a newer one, says so and ends with 0', async () => {
    const client = new pg.Client(database.connectionString)
    await client.connect()
    await client.query("insert into migrations values (9999, '9999-later.sql')")
    const { code, out } = await havn('migrate', '--wait-seconds', '60')
    await client.query('delete from migrations where number = 9999')
    await client.end()
    expect({ code, out }).toEqual({
      code: 0,
      out: 'The database is at migration 9999\nA newer release made 9999-later.sql; this one can run with them, and changed nothing\n',
    })
  })
})

describe('havn keys', () => {
  it('creates a key file once and rotates it: the new key encrypts, the old one still decrypts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'havn-keys-'))
    const file = join(folder, 'master.key')
    expect((await havn('keys', 'create', '--file', file)).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const [first] = parseMasterKeys(await readFile(file, 'utf8'))
    expect((await havn('keys', 'create', '--file', file)).error).toMatch(/never overwritten .*EEXIST/)
    expect((await havnWith({ HAVN_MASTER_KEY_FILE: ' ' }, 'keys', 'create')).error).toContain(
      'the path of the key file',
    )
    await chmod(file, 0o640)
    expect((await havn('keys', 'rotate', '--file', file)).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o640)
    const keys = parseMasterKeys(await readFile(file, 'utf8'))
    expect(keys.map(({ id }) => id)).toEqual(['key-2', 'key-1'])
    expect(keys[1]?.key.equals(first?.key ?? Buffer.alloc(0))).toBe(true)
    await rm(folder, { recursive: true })
  })

  it('rotates and disables the keys of access tokens, and re-encrypts with the newest master key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'havn-keys-'))
    const file = join(folder, 'master.key')
    await havn('keys', 'create', '--file', file)
    const first = /^(\S{43}) signs/.exec((await havn('keys', 'rotate-token', '--file', file)).out)?.[1] ?? ''
    const second = /^(\S{43}) signs/.exec((await havn('keys', 'rotate-token', '--file', file)).out)?.[1] ?? ''
    expect(new Set([first, second, '']).size).toBe(3)

    await havn('keys', 'rotate', '--file', file)
    const resealed = await havn('keys', 'reseal', '--file', file)
    expect(resealed).toMatchObject({ code: 0, error: '' })
    expect(resealed.out).toMatch(/token_keys\.private_jwk_sealed\s+2\n/)
    expect((await havn('keys', 'reseal', '--file', file)).out).toMatch(/token_keys\.private_jwk_sealed\s+0\n/)

    expect((await havn('keys', 'disable-token', second, '--file', file)).code).toBe(0)
    expect(await tokenKeys()).toEqual({ [first]: 'retired', [second]: 'disabled', other: 'signing' })
    const again = await havn('keys', 'disable-token', second, '--file', file)
    expect(again).toMatchObject({ code: 1, error: `havn: No enabled token key has the id ${second}\n` })
    await rm(folder, { recursive: true })

    async function tokenKeys(): Promise<Record<string, string>> {
      const client = new pg.Client({ connectionString: database.connectionString })
      await client.connect()
      const { rows } = await client.query<{ kid: string; state: string }>(`select kid, case
        when disabled_at is not null then 'disabled' when retired_at is not null then 'retired' else 'signing' end as state
        from token_keys`)
      await client.end()
      return Object.fromEntries(rows.map(({ kid, state }) => [[first, second].includes(kid) ? kid : 'other', state]))
    }
  })
})
