/** Tests the commands for developers against a gateway and its sandbox bank: login, pay, approve, status, entries. */
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, MAIN_ACCOUNT, OLA } from '../../gateway/testing/payments/sample-payments.ts'
import { dataFolderPaths, lockDataFolder } from '../../launcher/data-folder.ts'
import { HavnError } from '../../sdk/index.ts'
import { type Script, type Scripted, scriptedGateway } from '../../sdk/scripted-gateway.ts'
import { CommandError, commandErrorOf } from './command-error.ts'

const TO = ['--to', '80501200011', '--name', 'Granli Trelast AS']
const CREDENTIALS = { HAVN_CLIENT_ID: 'demo-partner', HAVN_CLIENT_SECRET: 'demo-partner-secret' }
const ID = '[0-9a-f-]{36}'

let gateway: TestGateway
let home: string
beforeAll(async () => {
  gateway = await startTestGateway()
  await acceptedConsent(gateway)
  home = await mkdtemp(join(tmpdir(), 'havn-cli-'))
})
afterAll(async () => {
  await gateway.close()
  await rm(home, { recursive: true })
})

/** Runs a command as a user without any settings of their own. */
const havn = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHavnCommand(words, { HOME: home, HAVN_DATA_DIR: join(home, 'none'), ...env })
/** As the demo partner. */
const asDemo = (...words: string[]) => havn(words, { HAVN_URL: gateway.url, ...CREDENTIALS })
const json = async (...words: string[]) => {
  const { code, out, error } = await asDemo(...words, '--json')
  expect([code, error]).toEqual([0, ''])
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Passes every request on to the gateway but those of one operation. */
function proxyThatAnswers(answered: RegExp, answer: Scripted) {
  const forward: Script = async ({ method, url, headers, body }) => {
    if (answered.test(`${method} ${url}`)) {
      return answer
    }
    const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers
    const init = { method, headers: new Headers(Object.entries(sent).map(([name, value]) => [name, String(value)])) }
    const passed = await fetch(`${gateway.url}${url}`, body === '' ? init : { ...init, body })
    return { status: passed.status, body: await passed.json() }
  }
  return scriptedGateway(forward, forward)
}

describe('credentials', () => {
  const profiles = () => join(home, '.config', 'havn', 'profiles.json')
  const loginWords = () => ['login', '--base-url', `${gateway.url}/`, '--client-id', 'demo-partner']

  it('are checked by a token request, and stored in a file that only the user may read', async () => {
    const wrong = await havn(loginWords(), { HAVN_CLIENT_SECRET: 'wrong' })
    expect([wrong.code, wrong.error]).toEqual([3, expect.stringContaining('The gateway rejected the credentials')])
    await expect(stat(profiles())).rejects.toThrow('ENOENT')
    const stored = await havn(loginWords(), { HAVN_CLIENT_SECRET: CREDENTIALS.HAVN_CLIENT_SECRET })
    expect([stored.code, stored.out]).toEqual([
      0,
      expect.stringContaining(`Logged in as demo-partner at ${gateway.url}`),
    ])
    expect((await stat(profiles())).mode & 0o777).toBe(0o600)
    expect((await stat(join(home, '.config', 'havn'))).mode & 0o777).toBe(0o700)
    expect(await havn(['consent', 'list'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('FJORNO22'),
    })
    await chmod(profiles(), 0o644)
    const readable = await havn(['consent', 'list'])
    expect([readable.code, readable.error]).toEqual([1, expect.stringContaining(`chmod 600 ${profiles()}`)])
    await chmod(profiles(), 0o600)
  })

  it('are those of a named profile, the environment, or the npm start of the folder', async () => {
    await havn([...loginWords(), '--profile', 'other'], { HAVN_CLIENT_SECRET: CREDENTIALS.HAVN_CLIENT_SECRET })
    const used = async (words: readonly string[], env: Record<string, string> = {}) => {
      const { code, out, error } = await havn(['consent', 'list', ...words], env)
      return [code, code === 0 ? out : error.trim().split('\n')[0]]
    }
    const works = [0, expect.stringContaining('FJORNO22')]
    const rejected = [3, expect.stringContaining('rejected the credentials')]
    expect(await used(['--profile', 'other'])).toEqual(works)
    expect(await used([], { HAVN_PROFILE: 'other' })).toEqual(works)
    expect(await used([], { HAVN_CLIENT_SECRET: 'wrong' })).toEqual(rejected)
    expect(await used(['--profile', 'none'])).toEqual([1, expect.stringContaining('There is no profile "none"')])
    expect(await used([], { HAVN_ENVIRONMENT: 'test' })).toEqual([1, expect.stringContaining('sandbox or production')])
    expect(await used([], { HAVN_URL: 'gateway' })).toEqual([1, expect.stringContaining('HAVN_URL must be the URL')])

    expect(await havn(['logout', '--profile', 'none'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^There is no profile none in \S+; there are: default, other\n$/),
    })
    expect(await havn(['logout'])).toMatchObject({ code: 0, out: 'Profile default is deleted.\n' })
    expect(await used([])).toEqual([3, 'havn: You are not logged in'])
    const folder = dataFolderPaths(join(home, 'sandbox'))
    const unlock = await lockDataFolder(folder, { gatewayUrl: gateway.url, hasDemoPartner: true })
    expect(await used([], { HAVN_DATA_DIR: folder.path })).toEqual(works)
    const login = await havn(['login', '--json'], { HAVN_DATA_DIR: folder.path })
    expect(JSON.parse(login.out)).toMatchObject({
      profile: 'default',
      clientId: 'demo-partner',
      environment: 'sandbox',
    })
    await unlock()
  })

  it.each([
    ['no JSON', '{', 'is not JSON'],
    ['no credentials', '{"profiles":{"default":{"baseUrl":"http://127.0.0.1:1"}}}', '/profiles/default'],
  ])('in a file with %s are reported with its path', async (_what, text, message) => {
    const config = join(home, 'damaged')
    await mkdir(join(config, 'havn'), { recursive: true })
    await writeFile(join(config, 'havn', 'profiles.json'), text, { mode: 0o600 })
    const { code, error } = await havn(['consent', 'list'], { XDG_CONFIG_HOME: config })
    expect([code, error]).toEqual([1, expect.stringContaining(message)])
    expect(error).toContain(config)
    expect(await readFile(join(config, 'havn', 'profiles.json'), 'utf8')).toBe(text)
  })

  it('are missing in a script: the error names the option, and nothing waits', async () => {
    const noId = await havn(['login', '--base-url', gateway.url])
    expect([noId.code, noId.error]).toEqual([1, expect.stringContaining('--client-id is missing')])
    const noSecret = await havn(loginWords())
    expect([noSecret.code, noSecret.error]).toEqual([1, expect.stringContaining('HAVN_CLIENT_SECRET')])
    const unreachable = await havn(['consent', 'list', '--json'], { HAVN_URL: 'http://127.0.0.1:1', ...CREDENTIALS })
    expect([unreachable.code, JSON.parse(unreachable.error)]).toMatchObject([
      5,
      { error: { reason: 'unavailable', exitCode: 5 } },
    ])
  })
})

describe('a payment', () => {
  it('needs a consent, which the sandbox’s user gives without a browser', async () => {
    const { credentials } = await gateway.otherPartner()
    const other = (...words: string[]) =>
      havn(words, {
        HAVN_URL: gateway.url,
        HAVN_CLIENT_ID: credentials.clientId,
        HAVN_CLIENT_SECRET: credentials.clientSecret,
      })
    const none = await other('pay', ...TO, '--amount', '10')
    expect([none.code, none.error]).toEqual([1, 'havn: There is no accepted consent\nNext: havn consent create\n'])
    expect((await other('consent', 'list')).out).toBe('There are no accepted consents.\nNext: havn consent create\n')
    const open = await other('consent', 'create', '--bank', 'FJORNO22')
    expect(open.out).toMatch(new RegExp(`^Consent ${ID}\nOpen http\\S+\nNext: havn status ${ID} --follow\n$`))
    expect(await other('consent', 'create', '--bank', 'FJORNO22', '--simulate', 'reject')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/is REJECTED\.\n$/),
    })
    const signed = await other('consent', 'create', '--bank', 'fjorno22', '--user', OLA, '--simulate', 'sign', '--json')
    const { id, ...consent } = JSON.parse(signed.out)
    expect(consent).toMatchObject({ status: 'ACCEPTED', bic: 'FJORNO22' })
    expect((await other('consent', 'list')).out).toContain(id)
    expect((await other('consent', 'list', '--all')).out).toContain('REJECTED')
  })

  it('is initiated, approved and followed until it is completed', async () => {
    const choice = await asDemo('pay', ...TO, '--amount', '10')
    expect([choice.code, choice.error]).toEqual([
      1,
      expect.stringMatching(/Choose the account by --account.*80501100017/s),
    ])
    const paid = await asDemo('pay', ...TO, '--amount', '1250,00', '--account', MAIN_ACCOUNT, '--message', 'Faktura 1')
    expect([paid.code, paid.out]).toEqual([0, expect.stringContaining('no money moves')])
    const id = new RegExp(`Next: havn approve (${ID})`).exec(paid.out)?.[1] ?? ''
    const link = await asDemo('approve', id)
    expect(link.out).toMatch(/\nOpen http\S+\nNext: havn status/)
    const started = await asDemo('status', id)
    expect([started.code, started.out]).toEqual([0, expect.stringMatching(/^\S+Z {2}Unsigned\n$/)])
    const { client } = gateway
    const [approval] = await json('approve', id, '--simulate', 'sign')
    expect(approval).toMatchObject({ outcome: 'success', paymentIds: [id] })
    const followed = json('status', id, '--follow')
    await client.stepSandboxPayment({ params: { paymentId: id, step: 'settle' }, body: {} })
    const lines = await followed
    expect(lines.map(({ status }) => status)).toEqual(['Unsigned', 'InProgress', 'Completed'])
  })

  it('is done in one command in a sandbox, and a rejected one ends with its own exit code', async () => {
    const from = [
      '--account',
      MAIN_ACCOUNT,
      '--amount',
      '11.00',
      '--idempotency-key',
      'cli-test-1',
      '--end-to-end-id',
      'CLI-1',
    ]
    const [signed] = await json('pay', ...TO, ...from, '--simulate', 'sign')
    expect(signed).toMatchObject({ outcome: 'success' })
    const [rejected] = await json('pay', ...TO, '--account', MAIN_ACCOUNT, '--amount', '12.00', '--simulate', 'reject')
    expect(rejected).toMatchObject({ outcome: 'rejected' })
    const [paymentId] = rejected.paymentIds
    await gateway.client.stepSandboxPayment({ params: { paymentId, step: 'cancel' }, body: {} })
    await gateway.sweep()
    const { code, out, error } = await asDemo('status', paymentId, '--follow')
    expect([code, error]).toEqual([4, expect.stringContaining('is Cancelled')])
    expect(out).toMatch(/ {2}Cancelled {2}The payment was cancelled\n$/)
  })

  it('is ordered once under one key, also where the outcome of the first order is unknown', async () => {
    const words = ['pay', ...TO, '--amount', '13.00', '--account', MAIN_ACCOUNT, '--idempotency-key']
    const ids = [(await json(...words, 'cli-2'))[0].paymentId, (await json(...words, 'cli-2'))[0].paymentId]
    expect(ids[1]).toBe(ids[0])
    const fault = { params: { bic: 'FJORNO22' }, body: { effect: 'lose-next-answer' } } as const
    await gateway.client.disturbSandboxBank(fault)
    const lost = [await asDemo(...words, 'cli-3', '--json'), await asDemo(...words, 'cli-3', '--json')]
    const [{ error: first }, { error: again }] = lost.map(({ error }) => JSON.parse(error))
    expect([first, again]).toMatchObject([
      { reason: 'unavailable', status: 503, paymentId: expect.stringMatching(ID) },
      { reason: 'unavailable', status: 409, paymentId: first.paymentId, next: `havn status ${first.paymentId}` },
    ])
  })

  it.each([
    ['failed for an unknown reason', { status: 500, body: { message: 'Something went wrong' } }],
    ['was answered with half of a response', { status: 200, body: '{"paymentId":"01a2' }],
  ])('that %s has the key to order it again with in its error', async (_how, ordered) => {
    const proxy = await proxyThatAnswers(/^POST \/api\/v2\/payments$/, ordered)
    try {
      const words = ['pay', ...TO, '--amount', '14.00', '--account', MAIN_ACCOUNT, '--json']
      const { code, error } = await havn(words, { HAVN_URL: proxy.url, ...CREDENTIALS })
      const [sent] = proxy.requests.filter(({ method }) => method === 'POST')
      const key = sent?.headers['idempotency-key']
      expect([code, JSON.parse(error).error]).toMatchObject([
        5,
        { idempotencyKey: key, next: expect.stringContaining(`--idempotency-key ${key}`) },
      ])
    } finally {
      await proxy.close()
    }
  })

  it.each([
    ['pay', ...TO, '--amount', '1', '--account', MAIN_ACCOUNT],
    ['approve', '01a00000-0000-7000-8000-000000000000'],
    ['consent', 'create', '--bank', 'FJORNO22'],
  ])('is not begun outside a sandbox where its user is to be simulated: havn %s', async (...words) => {
    const typed = [...words, '--simulate', 'sign']
    const { code, error } = await havn(typed, { HAVN_URL: gateway.url, ...CREDENTIALS, HAVN_ENVIRONMENT: 'production' })
    expect([code, error]).toEqual([1, expect.stringContaining('--simulate works in a sandbox only')])
  })

  it.each([
    ['an option that is missing', ['pay', '--amount', '1'], 1, "required option '--to <account>' not specified"],
    [
      'two kinds of remittance',
      ['pay', ...TO, '--amount', '1', '--account', MAIN_ACCOUNT, '--message', 'a', '--reference', '1'],
      1,
      'either',
    ],
    ['an account elsewhere', ['pay', ...TO, '--amount', '1', '--account', '86011117947'], 1, 'is not on consent'],
    ['what the gateway rejects', ['pay', ...TO, '--amount', 'x', '--account', MAIN_ACCOUNT], 2, '.amount'],
    ['an unknown bank', ['consent', 'create', '--bank', 'NONENO22'], 1, 'FJORNO22  Fjordbanken'],
    ['no BIC', ['consent', 'create', '--bank', 'Fjord'], 1, '--bank must be a BIC'],
    ['an unknown company', ['consent', 'create', '--company', '1'], 1, '987654325  NO, Nordlys Handel AS'],
    [
      'a payment that does not exist',
      ['status', '01a00000-0000-7000-8000-000000000000'],
      1,
      'There is no payment, payroll or consent',
    ],
    ['what is no id', ['approve', 'x'], 1, 'neither a payment nor a payroll x'],
  ])('explains %s', async (_what, words, code, message) => {
    const result = await asDemo(...words)
    expect([result.code, result.error]).toEqual([code, expect.stringContaining(message)])
  })
})

describe('entries', () => {
  const words = ['entries', '--account', MAIN_ACCOUNT]
  it('and payments use the newest consent that has the account, and say which one', async () => {
    const { credentials } = await gateway.otherPartner()
    const other = (...typed: string[]) =>
      havn(typed, {
        HAVN_URL: gateway.url,
        HAVN_CLIENT_ID: credentials.clientId,
        HAVN_CLIENT_SECRET: credentials.clientSecret,
      })
    const consentAt = async (...at: string[]) =>
      JSON.parse((await other('consent', 'create', ...at, '--simulate', 'sign', '--json')).out).id
    // A bank replaces an earlier consent of the same user.
    const withAccount = await consentAt('--bank', 'FJORNO22', '--user', OLA)
    const without = await consentAt('--bank', 'FJELNO22')
    for (const command of [words, ['pay', ...TO, '--amount', '10', '--account', MAIN_ACCOUNT]]) {
      const { code, error } = await other(...command)
      expect([code, error]).toEqual([
        0,
        expect.stringContaining(`Using the newest consent that has the account: ${withAccount}  FJORNO22, company`),
      ])
    }
    const unknown = await other('entries', '--account', '86011117947')
    expect([unknown.code, unknown.error]).toEqual([
      1,
      expect.stringMatching(/is on none of \d accepted .*80501100017/s),
    ])
    const named = await other(...words, '--consent', without)
    expect([named.code, named.error]).toEqual([1, expect.stringContaining(`is not on consent ${without}`)])
  })

  it('are printed as a table, CSV, JSON and camt.053, and an empty list says so', async () => {
    const entry = { amount: '77.50', counterparty: 'Å "B", C', message: '=1+1' }
    await gateway.client.addSandboxEntry({ params: { bban: MAIN_ACCOUNT }, body: entry })
    const table = await asDemo(...words)
    expect(table.out).toMatch(/^BOOKED +STATUS .*\n(.*\n)*.* CREDIT +77.50 {2}NOK {7}Å "B", C +=1\+1\n/)
    const csv = await asDemo(...words, '--format', 'csv')
    expect(csv.out).toMatch(/^transactionId,.*\r\n(.*\r\n)*.*77.50.*"Å ""B"", C".*'=1\+1/)
    const lines = await json(...words)
    expect(lines).toContainEqual(
      expect.objectContaining({ amount: '77.50', debtorName: 'Å "B", C', unstructured: '=1+1' }),
    )
    expect((await asDemo(...words, '--format', 'camt.053')).out).toContain('camt.053.001.08')
    const day = gateway.context.clock.today('Europe/Oslo').toString()
    const unused = [...(await asDemo('entries')).error.matchAll(/^ {2}(\d{11})/gm)].at(-1)?.[1] ?? ''
    const none = await asDemo('entries', '--account', unused, '--from', day)
    expect([none.code, none.out]).toEqual([0, `There are no entries on ${unused} from ${day} to ${day}.\n`])
    expect(await asDemo(...words, '--from', 'today')).toMatchObject({
      code: 1,
      error: expect.stringContaining('--from must be a day'),
    })
  })

  it('that end early are an error, whatever their format', async () => {
    const headers = { 'content-type': 'text/csv', 'content-length': '1000', connection: 'close' }
    const cut = { status: 200, body: 'transactionId,amount\r\nA-1,77.50\r\n', headers }
    const proxy = await proxyThatAnswers(/^GET \/api\/v2\/accounts\/[^/]+\/entries/, cut)
    try {
      for (const format of ['table', 'csv'] as const) {
        const { code, error } = await havn([...words, '--format', format], { HAVN_URL: proxy.url, ...CREDENTIALS })
        expect([format, code, error]).toEqual([format, 5, expect.stringContaining('The gateway cannot be reached')])
      }
    } finally {
      await proxy.close()
    }
  })
})

it.each([
  [401, 'unauthenticated'],
  [400, 'unauthenticated'],
  [404, 'unavailable'],
  [405, 'unavailable'],
  [429, 'unavailable'],
  [503, 'unavailable'],
])('a token request that is answered with %i is %s', (status, reason) => {
  const error = new HavnError('No token', { operation: 'issueToken', code: 'x', status })
  expect(commandErrorOf(error, false).reason).toBe(reason)
})

it('is stated although the command was interrupted, since it says what may have been ordered', () => {
  const unknown = new CommandError('interrupted', 'The payment may have been ordered')
  expect(commandErrorOf(unknown, true)).toBe(unknown)
  expect(commandErrorOf(new Error('x'), true)).toMatchObject({ reason: 'interrupted', message: 'Interrupted' })
})

it('has a version, and help with examples for each command', async () => {
  expect((await havn(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  const { code, out } = await havn(['status', '--help'])
  expect([code, out]).toEqual([0, expect.stringContaining('\nExamples:\n')])
})
