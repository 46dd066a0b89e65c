/** Tests that requests of every kind get a 503 while the database is away, however it is away, and succeed afterwards. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import { operations } from '../../contract/operations.ts'
import { randomCases } from '../../setup/random-cases.ts'
import { waitForDatabase } from '../platform/database/wait-for-database.ts'
import { listenForDue } from '../platform/jobs/due-row-notification.ts'
import type { FormBrowser } from '../testing/browser/form-browser.ts'
import { routesOfConsole } from '../testing/console/console-routes.ts'
import { signInAs } from '../testing/console/console-user.ts'
import type { ValidRequest } from '../testing/contract/mutated-requests.ts'
import { UNKNOWN_ID } from '../testing/contract/send-raw-request.ts'
import { validRequests } from '../testing/contract/valid-requests.ts'
import { type OwnPostgres, startOwnPostgres } from '../testing/database/own-postgres.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startOnBankDay } from '../testing/gateway/start-on-bank-day.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'

let postgres: OwnPostgres
let gateway: TestGateway
let requests: readonly ValidRequest[]
let browser: FormBrowser
let formToken: string
beforeAll(async () => {
  postgres = await startOwnPostgres()
  await startOnBankDay(postgres.connectionString)
  gateway = await startTestGateway({
    settings: { DATABASE_URL: postgres.connectionString, HAVN_DATABASE_ANSWER_TIMEOUT_SECONDS: '1' },
  })
  requests = (await validRequests(gateway)).filter(({ operation }) => operation.id !== operations.issueToken.id)
  browser = await signInAs(gateway, 'operator-administrator')
  const { html } = await browser.open('/console/sessions')
  formToken = /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? ''
})
afterAll(async () => {
  await gateway.close()
  await postgres.close()
})

type Answer = { readonly what: string; readonly status: number; readonly headers: Headers; readonly text: string }

async function ask(what: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init })
  return { what, status: response.status, headers: response.headers, text: await response.text() }
}

/** A request of an operation with a JSON body. */
async function send({ operation, params, query, headers, body }: ValidRequest): Promise<Answer> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(Object(params)[name]))
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  return await ask(operation.id, `${path}?${new URLSearchParams(Object(query))}`, {
    method: operation.method,
    headers: { ...Object(headers), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...init,
  })
}

/** What browsers, banks and the sandbox's inbox ask for. */
async function askOthers(): Promise<readonly Answer[]> {
  const routes = routesOfConsole(gateway).filter(({ isLive }) => isLive !== true)
  const ofConsole = routes.map(async ({ method, path }) => {
    const place = path.replaceAll(/:\w+/g, UNKNOWN_ID)
    const page =
      method === 'GET' ? await browser.open(place) : await browser.post(place, new URLSearchParams({ formToken }))
    return { what: `${method} ${path}`, status: page.status, headers: page.headers, text: page.html }
  })
  const token = {
    grant_type: 'client_credentials',
    client_id: demoCredentials.clientId,
    client_secret: 'x',
    scope: 'y',
  }
  return await Promise.all([
    ...ofConsole,
    ...PAGES.map((path) => ask(path, path)),
    ...NOTIFICATIONS.map((path) => ask(path, path, { method: 'POST', body: '{}' })),
    ask('token', '/v2/connect/token', { method: 'POST', body: new URLSearchParams(token) }),
  ])
}

const SOMETHING = `${UNKNOWN_ID}/${UNKNOWN_ID}`
const PAGES = [`/signing/${SOMETHING}/token`, `/onboarding/${SOMETHING}`, '/console/sign-in']
const NOTIFICATIONS = ['payments', 'signings'].map((kind) => `/hints/${kind}/${SOMETHING}/token`)
/** This gateway has no FX provider, which is not a matter of time. */
const isOfExchange = ({ what }: Answer) => /Exchange$|^(stepSandboxPayout|addSandboxArrival)$/.test(what)

function expectTemporary({ what, status, headers, text }: Answer): void {
  expect(status, what).toBe(503)
  expect(Number(headers.get('retry-after')), what).toBeGreaterThan(0)
  if (headers.get('content-type')?.startsWith('text/html') === true) {
    expect(text, what).toContain('</html>')
  } else {
    // The second is that of the token endpoint.
    const { message, error_description: description } = JSON.parse(text)
    expect(message ?? description, what).toEqual(expect.any(String))
  }
}

const ROUNDS = randomCases(10)
const SHARE_OF_DATABASE = 0.8

/** `away` begins and `back` ends an interruption. */
async function expectOutage(away: () => Promise<void>, back: () => Promise<void>): Promise<void> {
  await away()
  const answers = [...(await Promise.all(requests.map(send))), ...(await askOthers())]
  const health = await Promise.all(
    ['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json'].map((path) => ask(path, path)),
  )
  await back()
  const failed = answers.filter(({ status }) => status >= 500)
  failed.filter((answer) => !isOfExchange(answer)).forEach(expectTemporary)
  // The others need nothing, or only what the process has in memory.
  expect(failed.length).toBeGreaterThan(answers.length * SHARE_OF_DATABASE)
  expect(health.map(({ what, status }) => `${what} ${status}`)).toEqual(health.map(({ what }) => `${what} 200`))
  expect(health.map(({ text }) => text).slice(1, 3)).toEqual([
    expect.stringContaining('"database":"unavailable"'),
    expect.stringContaining('havn_database_up 0'),
  ])
  expect(faults()).toEqual([])
}

const faults = () => gateway.logLines().filter((line) => /"level":(50|60)/.test(line))

test('while the database is stopped or frozen every request gets a 503 that says when to come again, and none is a fault', async () => {
  const reads = requests.filter(({ operation }) => operation.method === 'GET')
  // On a busy machine a statement may take longer than this gateway waits.
  const readAll = () =>
    eventually(async () => {
      const answers = await Promise.all(reads.map(send))
      expect(answers.map(({ status }) => status)).not.toContain(503)
      return answers
    })
  const before = await readAll()
  await expectOutage(postgres.stop, postgres.start)
  await expectOutage(postgres.freeze, postgres.thaw)
  const after = await readAll()
  expect(after.map(({ status }) => status)).toEqual(before.map(({ status }) => status))
})

test('a connection that listens for due rows is replaced when its server is frozen', async () => {
  const { connectionString } = postgres
  const intervals = { answerMilliseconds: 1_000, heartbeatMilliseconds: 50, reconnectMilliseconds: 50 }
  const { database, log } = gateway.context
  const listener = listenForDue(
    { ...intervals, connectionString, poolMode: 'session', pool: database.pool, log },
    () => undefined,
  )
  await eventually(() => expect(listener.isHeard()).toBe(true))
  await postgres.freeze()
  await eventually(() => expect(listener.isHeard()).toBe(false))
  await postgres.thaw()
  await eventually(() => expect(listener.isHeard()).toBe(true))
  await listener.close()
})

test('a program that starts meanwhile says that it waits, and goes on when the database is there', async () => {
  const { connectionString } = postgres
  await postgres.stop()
  const lines: string[] = []
  const waiting = waitForDatabase({ connectionString, applicationName: 'test', report: (line) => lines.push(line) })
  await eventually(() => expect(lines).toEqual([expect.stringContaining('Waiting for the database')]))
  await postgres.start()
  await waiting
  expect(lines.slice(1)).toEqual([expect.stringContaining('The database is available')])
})

test('connections that end in the middle of requests make some of them come again, and none fails', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const sent = Promise.all([...requests.map(send), askOthers()].flat())
    for (let times = 0; times < 10; times += 1) {
      await postgres.terminateConnections()
    }
    const answers = (await sent).flat()
    answers.filter((answer) => answer.status >= 500 && !isOfExchange(answer)).forEach(expectTemporary)
  }
  expect(faults()).toEqual([])
})
