/** Runs the conformance checks against a real gateway: all of them pass, and reports show what a failed one found. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseXml } from '@rgrove/parse-xml'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoCredentials } from '../contract/examples/demo-fixture.ts'
import { type ConformanceGateway, startConformanceGateway } from '../gateway/testing/conformance/conformance-gateway.ts'
import { startMutatingProxy } from '../gateway/testing/conformance/mutating-proxy.ts'
import { PROTOCOL_MUTATIONS } from '../gateway/testing/conformance/protocol-mutations.ts'
import { countSideEffects } from '../gateway/testing/contract/send-raw-request.ts'
import { freePorts } from '../gateway/testing/gateway/free-ports.ts'
import { runHavnCommand } from '../gateway/testing/gateway/havn-command.ts'
import { scriptedGateway } from '../sdk/scripted-gateway.ts'
import type { CheckResult } from './check.ts'
import { CHECK_GROUPS, runConformance } from './run/run-conformance.ts'

let running: ConformanceGateway
let folder: string
beforeAll(async () => {
  running = await startConformanceGateway()
  folder = await mkdtemp(join(tmpdir(), 'havn-conform-'))
})
afterAll(async () => {
  await running.close()
  await rm(folder, { recursive: true })
})

/** Operations that change something for good, or for other users of a sandbox. */
const NOT_CALLED = [
  'schemas-registerCompany',
  'schemas-abandonPayrollCancellation',
  'schemas-disturbSandboxBank',
  'schemas-disturbSandboxExchange',
  'schemas-stepSandboxPayout',
  'schemas-addSandboxArrival',
  'schemas-healSandboxBanks',
]
/** Checks of requests that are all rejected. Some of them need a consent, which is created. */
const REJECTED = [
  ...['authentication-bearer-missing', 'authentication-bearer-malformed', 'errors-media-type', 'errors-json'],
  ...['errors-size', 'errors-consent-missing', 'errors-consent-unknown', 'errors-consent-of-another-partner'],
  ...['errors-idempotency-key', 'errors-order', 'errors-psu-headers', 'errors-default-form', 'errors-detailed-form'],
]
const BANK_READ = /"operation":"(get|read|list)/
/** By RFC 6750, 3.1: without a token there is no error to name. */
const CHALLENGE =
  /^Bearer realm="Havn"(, error="invalid_token", error_description="[^"]+", error_uri="[^"]+#Token[A-Za-z]+")?$/

/** What takes half a minute alone takes more than the usual limit while the machine has much other work. */
const TEST_MILLISECONDS = 300_000

function expectNoneFailed(results: readonly CheckResult[]): void {
  const failed = results.filter(({ status }) => status === 'failed')
  expect(failed.map(({ check, problems }) => `${check.id}: ${problems.slice(0, 6).join('\n   ')}`)).toEqual([])
}

it('a gateway of ours passes the checks', { timeout: TEST_MILLISECONDS }, async () => {
  const ids = CHECK_GROUPS.flatMap(({ checks }) => checks.map(({ id }) => id))
  // The next test runs those.
  const only = ids.filter((id) => !REJECTED.includes(id))
  const { results } = await runConformance(running.targetAt(running.gateway.url), { only })
  expectNoneFailed(results)
  const skipped = results.filter(({ status }) => status === 'skipped').map(({ check }) => check.id)
  expect(skipped).toEqual(NOT_CALLED)
})

it('a gateway of ours passes those whose requests are rejected, which leave nothing behind; a 401 has its challenge', {
  timeout: TEST_MILLISECONDS,
}, async () => {
  // How often a new consent is polled depends on the moment.
  const bankChanges = () =>
    running.gateway.logLines().filter((line) => line.includes('a bank was called') && !BANK_READ.test(line)).length
  const counted = async () => ({ ...(await countSideEffects(running.gateway)), bankCalls: bankChanges() })
  const createdBy = async (only: readonly string[]) => {
    const before: Readonly<Record<string, unknown>> = await counted()
    const { results } = await runConformance(running.targetAt(running.gateway.url), { only })
    const after = Object.entries(await counted())
    return { results, created: after.map(([what, count]) => [what, Number(count) - Number(before[what])]) }
  }
  const consent = await createdBy(['errors-consent-of-another-partner'])
  const { results, created } = await createdBy([...REJECTED, 'headers'])
  expectNoneFailed(results)
  expect(results.length).toBeGreaterThan(REJECTED.length)
  expect(created).toEqual(consent.created)
  expect(created).toContainEqual(['payments', 0])
  const unauthorised = results.flatMap(({ answers }) => answers).filter(({ status }) => status === 401)
  // Several of each operation that requires a token.
  expect(unauthorised.length).toBeGreaterThan(2 * new Set(unauthorised.map(({ operation }) => operation)).size)
  for (const { headers, body } of unauthorised) {
    expect(headers.get('www-authenticate')).toMatch(CHALLENGE)
    expect(body).not.toHaveProperty('failure')
  }
})

const conform = (...words: string[]) =>
  runHavnCommand(['conform', '--base-url', running.gateway.url, '--client-id', demoCredentials.clientId, ...words], {
    HOME: folder,
    HAVN_CLIENT_SECRET: demoCredentials.clientSecret,
  })

it('a run that is aborted disables its subscriptions', async () => {
  const enabled = async () => (await running.gateway.client.listWebhookSubscriptions()).filter((one) => one.enabled)
  const before = await enabled()
  const aborted = new AbortController()
  const run = runConformance(running.targetAt(running.gateway.url), {
    signal: aborted.signal,
    only: ['webhooks-subscription', 'headers'],
    onCheck: (_check, position) => position === 1 && aborted.abort(new Error('Ctrl-C')),
  })
  await expect(run).rejects.toThrow('Ctrl-C')
  expect(await enabled()).toEqual(before)
})

it('a delivery that is broken off does not end the run', async () => {
  const [webhookPort = 0] = await freePorts(1)
  const breakOff = () => {
    const socket = connect(webhookPort, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: erp\r\nContent-Length: 9\r\n\r\n{', () => socket.destroy())
  }
  const { results } = await runConformance(
    { ...running.targetAt(running.gateway.url), webhookPort },
    {
      only: ['webhooks-test', 'webhooks-credentials'],
      onCheck: (_check, position) => position === 1 && breakOff(),
    },
  )
  expectNoneFailed(results)
})

it('tokens that are no JWT fail the check that reads them, and end no run', async () => {
  const server = await scriptedGateway(() => ({ status: 200, body: { keys: [] } }))
  const only = ['authentication-token-signature', 'authentication-bearer-query']
  const { results } = await runConformance(running.targetAt(server.url), { only })
  await server.close()
  expect(results.map(({ check, status }) => [check.id, status])).toEqual(only.map((id) => [id, 'failed']))
})

it('the command prints a summary, and writes the reports', async () => {
  const [page, junit] = [join(folder, 'report.html'), join(folder, 'results.xml')]
  const { code, out } = await conform('--only', 'headers', '--html', page, '--junit', junit)
  expect([code, out]).toEqual([0, expect.stringMatching(/✓ Headers +5 passed\n\n5 passed, 0 failed, 0 skipped. The/)])
  const { root } = parseXml(await readFile(junit, 'utf8'))
  expect(root?.attributes).toMatchObject({ tests: '5', failures: '0', skipped: '0' })
  expect(await readFile(page, 'utf8')).toContain('The server conforms')
  const json = await conform('--only', 'errors-unknown-path', '--json')
  expect(JSON.parse(json.out)).toMatchObject({ conformant: true, passed: 1, checks: [{ id: 'errors-unknown-path' }] })
})

it('reports of a failed check show its requests without secrets, in every form', async () => {
  const mutation = PROTOCOL_MUTATIONS.find(({ id }) => id === 'token-in-query') ?? expect.fail('There is no mutation')
  const proxy = await startMutatingProxy(running.gateway.url, mutation)
  const [page, junit] = [join(folder, 'failed.html'), join(folder, 'failed.xml')]
  const words = ['--base-url', proxy.url, '--only', 'authentication-bearer-query', '--html', page, '--junit', junit]
  const text = await conform(...words)
  const json = await conform(...words, '--json')
  await proxy.close()
  expect([text.code, json.code]).toEqual([4, 4])
  const html = await readFile(page, 'utf8')
  expect(html).toContain('The server does not conform')
  expect(html).toMatch(/<pre tabindex="0">200\n/)
  for (const form of [text.out, json.out, html, await readFile(junit, 'utf8')]) {
    expect(form).toMatch(/access_token(=|&#61;)\*\*\* returned 200/)
    expect(form).not.toMatch(/eyJ\w/)
  }
})

it.each([
  ['a wrong secret', ['--client-secret', 'wrong'], 3, 'No token was issued: POST /v2/connect/token returned 401'],
  ['an unknown group', ['--only', 'bodies'], 1, 'There is no check or group bodies. The groups are: authentication,'],
  ['no URL', ['--webhook-url', 'here'], 1, '--webhook-url must be the URL'],
  ['a port that is none', ['--webhook-port', '0'], 1, '--webhook-port must be a port'],
  ['a server that does not exist', ['--base-url', 'http://127.0.0.1:1'], 5, 'http://127.0.0.1:1 cannot be reached'],
  ['a folder that does not exist', ['--only', 'headers', '--html', '/none/x.html'], 1, 'report cannot be written'],
])('the command explains %s', async (_what, words, code, message) => {
  const result = await conform(...words)
  expect([result.code, result.error]).toEqual([code, expect.stringContaining(message)])
})
