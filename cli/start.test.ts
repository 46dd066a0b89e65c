/** Tests `havn start` with real processes in an empty folder; `order-crash.test.ts` kills gateways and everything. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childProcesses } from '../gateway/testing/gateway/child-processes.ts'
import { programEnvironment } from '../gateway/testing/gateway/havn-command.ts'
import { freeStartPorts } from '../gateway/testing/gateway/start-havn.ts'
import { acceptedConsent, PSU } from '../gateway/testing/payments/sample-payments.ts'
import { removeEmbeddedPostgres } from '../launcher/embedded-postgres/embedded-postgres.ts'
import { findCluster } from '../launcher/embedded-postgres/postgres-cluster.ts'
import { belongsTo } from '../launcher/embedded-postgres/postmaster.ts'
import { listProcesses, type RunningProcess, sendSignal, startedAt, waitUntil } from '../launcher/processes.ts'
import { createHavnClient, type HavnClient } from '../sdk/index.ts'

type Started = {
  readonly process: ChildProcess
  readonly pid: number
  output(): string
  readonly ended: Promise<number | null>
}

const HAVN = fileURLToPath(new URL('havn.ts', import.meta.url))
const WAIT_MILLISECONDS = 60_000
const TEST_MILLISECONDS = 180_000
/** The gateway, the worker and the three sandbox programs. */
const PROGRAMS = 5
const DEMO = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }
let folder: string
let environment: Record<string, string>
let gateway: string
let started: Started[]
/** The last `havn start` that was ready, which tests share unless they stop it. */
let shared: Started | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-start-'))
  await chmod(folder, 0o755)
  started = []
  const { settings, url } = await freeStartPorts()
  gateway = url
  environment = { HAVN_DATA_DIR: folder, ...settings }
})

afterAll(async () => {
  for (const { process, ended } of started) {
    process.kill('SIGTERM')
    await ended
  }
  await removeEmbeddedPostgres(join(folder, 'postgres'))
  await rm(folder, { recursive: true })
})

/** Started by npm (`npm_lifecycle_event` is set), or directly, with the words of a command. */
function havn(command: string, byNpm: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [HAVN, ...command.split(' ')], {
    env: { ...programEnvironment(), ...environment, ...byNpm },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const it: Started = { process: child, pid: child.pid ?? 0, output: () => text, ended }
  started.push(it)
  return it
}

async function startHavn(): Promise<Started> {
  const it = havn('start')
  const ready = async () => it.output().includes('Havn is ready') || it.process.exitCode !== null
  await waitUntil(ready, WAIT_MILLISECONDS)
  expect(it.output()).toContain('Havn is ready')
  // The first URL is the one that a newcomer needs.
  expect(/https?:\/\/\S+/.exec(it.output())?.[0]).toBe(`${gateway}/console`)
  shared = it
  return it
}

/** A running Havn with all its programs; reuses that of an earlier test. */
async function runningHavn(): Promise<Started> {
  const it = shared !== undefined && isRunning(shared) ? shared : await startHavn()
  const isWhole = async () => (await programsOf(it)).length === PROGRAMS && (await isReady())
  expect(await waitUntil(isWhole, WAIT_MILLISECONDS)).toBe(true)
  return it
}

/** Without PostgreSQL. */
async function programsOf({ pid }: Started): Promise<readonly RunningProcess[]> {
  return (await childProcesses(pid)).filter(({ commandLine }) => commandLine.includes('main.ts'))
}

/** For tests of the start: stops a running Havn. */
async function noHavn(): Promise<void> {
  if (shared !== undefined) {
    shared.process.kill('SIGTERM')
    await shared.ended
  }
}

function isRunning({ process }: Started): boolean {
  return process.exitCode === null && process.signalCode === null
}

/** Obtains a token with its first request. */
function demoClient(): HavnClient {
  return createHavnClient({ baseUrl: gateway, environment: 'sandbox', maxRetries: 0, ...DEMO })
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`${gateway}/readyz`).catch(() => undefined)
  return answer?.ok === true
}

/** The response of a server to a client without a certificate. */
async function answerOf(url: string, ca: string): Promise<string> {
  const [answer] = await once(get(url, { ca, agent: false }), 'response')
  return Buffer.concat(await Array.fromAsync(answer)).toString()
}

async function postgresProcesses(): Promise<readonly RunningProcess[]> {
  const cluster = await findCluster(join(folder, 'postgres'))
  return (await listProcesses()).filter((found) => cluster !== undefined && belongsTo(found, cluster))
}

async function areGone(processes: readonly RunningProcess[]): Promise<boolean> {
  const marks = await Promise.all(processes.map(({ pid }) => startedAt(pid)))
  return marks.every((mark) => mark === undefined)
}

describe('havn start', { timeout: TEST_MILLISECONDS }, () => {
  it('names a port in use before it starts any program', async () => {
    await noHavn()
    const other = createServer().listen(Number(environment['HAVN_SANDBOX_XS2A_PORT']), '127.0.0.1')
    await once(other, 'listening')
    const rejected = havn('start')
    expect(await rejected.ended).toBe(1)
    expect(rejected.output()).toContain("is needed for the sandbox banks' XS2A, but another program uses it")
    expect(await postgresProcesses()).toEqual([])
    other.close()
    await once(other, 'close')
  })

  it('stops what it has started when signalled before it is ready, although its output is not read any more', async () => {
    await noHavn()
    await rm(join(folder, 'logs'), { recursive: true, force: true })
    const it = havn('start')
    const isStarting = async () => (await postgresProcesses()).length > 0
    expect(await waitUntil(isStarting, WAIT_MILLISECONDS)).toBe(true)
    const everything = [...(await childProcesses(it.pid)), ...(await postgresProcesses())]
    it.process.stdout?.destroy()
    it.process.stderr?.destroy()
    it.process.kill('SIGTERM')
    expect(await it.ended).toBe(0)
    expect(await areGone(everything)).toBe(true)
    // A program has a log as soon as it is started.
    expect(await readdir(join(folder, 'logs'))).toEqual([])
  })

  it('starts everything, serves requests, and rejects a second start', async () => {
    const it = await runningHavn()
    expect((await fetch(`${gateway}/healthz`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${environment['HAVN_SANDBOX_BANK_PORT']}/`)).status).toBe(200)
    expect(await demoClient().listCompanies()).not.toEqual([])

    const [duplicate, reset] = [havn('start', { npm_lifecycle_event: 'start' }), havn('reset')]
    expect(await duplicate.ended).toBe(1)
    expect(duplicate.output()).toContain(`already running with ${folder} (process ${it.pid})`)
    expect(await reset.ended).toBe(1)
    expect(reset.output()).toContain('Stop it first')
  })

  it('gives the commands of operators the settings of its gateway, the FX provider among them', async () => {
    await runningHavn()
    const check = havn('provider check')
    expect([await check.ended, check.output()]).toEqual([0, expect.stringMatching(/NO +NOK +NO3380590100009 +\d/)])
  })

  it('connects to the sandbox bank by mutual TLS', async () => {
    await runningHavn()
    const ca = await readFile(join(folder, 'certificates', 'authority.pem'), 'utf8')
    const stranger = await answerOf(
      `https://127.0.0.1:${environment['HAVN_SANDBOX_XS2A_PORT']}/fjordbanken/v1/accounts`,
      ca,
    )
    expect(stranger).toContain('CERTIFICATE_MISSING')
    const readiness = await (await fetch(`${gateway}/readyz`)).json()
    expect(readiness).toMatchObject({ certificates: [{ certificate: 'QWAC' }, { certificate: 'QSEAL' }] })
    const client = demoClient()
    const { consentId } = await acceptedConsent({ client })
    expect((await client.listAccounts({ consentId, psu: PSU })).accounts).not.toEqual([])
  })

  it('restarts a killed PostgreSQL at the same address', async () => {
    const it = await runningHavn()
    const client = demoClient()
    await client.listCompanies()
    for (const { pid } of await postgresProcesses()) {
      sendSignal(pid, 'SIGKILL')
    }
    await waitUntil(async () => it.output().includes('PostgreSQL ended; restarting it'), WAIT_MILLISECONDS)
    // A gateway stays ready while its database is away: only a request shows that it is back. Those for tokens are rate
    // limited, so the client keeps the one that it has.
    const isAnswered = () => client.listCompanies().then(Array.isArray, () => false)
    expect(await waitUntil(isAnswered, WAIT_MILLISECONDS)).toBe(true)
  })

  it('recovers after the supervisor was killed: its children end, PostgreSQL is reused, state is preserved', async () => {
    const first = await runningHavn()
    const key = await readFile(join(folder, 'master.key'), 'utf8')
    const children = await programsOf(first)
    expect(children).toHaveLength(PROGRAMS)
    sendSignal(first.pid, 'SIGKILL')
    expect(await waitUntil(() => areGone(children), WAIT_MILLISECONDS)).toBe(true)
    await startHavn()
    expect(await demoClient().listCompanies()).not.toEqual([])
    expect(await readFile(join(folder, 'master.key'), 'utf8')).toBe(key)
  })
})

describe('havn reset', { timeout: TEST_MILLISECONDS }, () => {
  it('deletes all data of a Havn, which stops everything when signalled', async () => {
    const it = await runningHavn()
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['certificates', 'master.key', 'postgres']))
    const everything = [...(await childProcesses(it.pid)), ...(await postgresProcesses())]
    expect(everything.length).toBeGreaterThan(4)
    it.process.kill('SIGINT')
    expect(await it.ended).toBe(0)
    expect(await areGone(everything)).toBe(true)
    const reset = havn('reset')
    expect(await reset.ended).toBe(0)
    expect(await readdir(folder)).toEqual([])
  })
})
