/** Tests `havn webhook-test` against a right endpoint, made with our client, and against endpoints with one fault each. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { runHavnCommand } from '../../../../gateway/testing/gateway/havn-command.ts'
import { verifyWebhook, type WebhookHeaders } from '../../../../sdk/index.ts'

const SECRET = 'the secret of the endpoint'
const OTHER = 'the secret after the rotation'

type Received = { readonly headers: WebhookHeaders; readonly body: string }
/** The status that an endpoint answers. */
type Endpoint = (received: Received) => number

const right =
  (secrets: readonly string[] = [SECRET], tolerance?: number): Endpoint =>
  ({ headers, body }) =>
    verifyWebhook(body, headers, secrets, tolerance === undefined ? {} : { toleranceSeconds: tolerance }).verified
      ? 204
      : 401

async function tryEndpoint(endpoint: Endpoint, ...words: string[]) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    response.writeHead(endpoint({ headers: request.headers, body })).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const url = `http://127.0.0.1:${port}/hooks`
  const result = await runHavnCommand(['webhook-test', url, '--secret', SECRET, ...words], {})
  server.close()
  return result
}

/** The names of the trials that failed. */
async function failedAt(endpoint: Endpoint, ...words: string[]): Promise<readonly string[]> {
  const { code, out } = await tryEndpoint(endpoint, '--json', ...words)
  const outcomes = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const failed = outcomes.filter(({ passed }) => !passed)
  expect(code).toBe(failed.length === 0 ? 0 : 4)
  expect(failed.filter(({ advice }) => advice === undefined)).toEqual([])
  return failed.map(({ name }) => name)
}

/** Remembers what was received. */
function remembering(decide: (seen: ReadonlySet<string>, event: { id: string }) => number): Endpoint {
  const seen = new Set<string>()
  return (received) => {
    const status = right()(received)
    if (status !== 204) {
      return status
    }
    const event = JSON.parse(received.body)
    const decided = decide(seen, event)
    seen.add(event.id)
    return decided
  }
}

it('passes an endpoint that verifies with our client, also while its secret is rotated', async () => {
  const { code, out, error } = await tryEndpoint(right())
  expect([code, error]).toEqual([0, 'The endpoint passed all 16 trials\n'])
  expect(
    out
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('passed  ')),
  ).toEqual([])
  expect(await failedAt(right([SECRET, OTHER]), '--new-secret', OTHER)).toEqual([])
})

it('finds the fault of each wrong endpoint', async () => {
  const KNOWN = /^(PAYMENT|PAYROLL|APPROVAL|CONSENT|ONBOARDING|EXCHANGE|ACCOUNT)_/
  const verified = ({ headers, body }: Received, check: (event: Record<string, unknown>) => boolean) =>
    right()({ headers, body }) === 204 ? (check(JSON.parse(body)) ? 204 : 422) : 401
  let newest = ''
  const forged = [
    'wrong-signature',
    'changed-body',
    'no-signature',
    'malformed-signature',
    'old-timestamp',
    'future-timestamp',
  ]
  const rows: readonly (readonly [string, Endpoint, readonly string[], (readonly string[])?])[] = [
    ['accepts everything', () => 200, forged],
    ['does not check the time', right([SECRET], 86_400), ['old-timestamp', 'future-timestamp']],
    ['breaks at a wrong signature', (received) => (right()(received) === 204 ? 200 : 500), forged],
    ['redirects', (received) => (right()(received) === 204 ? 302 : 401), ['valid']],
    ['rejects duplicates', remembering((seen, { id }) => (seen.has(id) ? 409 : 204)), ['attempts', 'replays']],
    [
      'knows the types of today',
      (received) => verified(received, ({ type }) => KNOWN.test(String(type))),
      ['unknown-type'],
    ],
    [
      'knows payments only',
      (received) => verified(received, ({ type }) => /^PAYMENT/.test(String(type))),
      ['families', 'unknown-type', 'large'],
    ],
    [
      'knows the fields of today',
      (received) => verified(received, (event) => !('newPart' in event)),
      ['unknown-fields'],
    ],
    [
      'writes the body again',
      ({ headers, body }) => right()({ headers, body: JSON.stringify(JSON.parse(body)) }),
      ['bytes'],
    ],
    [
      'has a limit for bodies',
      (received) => verified(received, (event) => JSON.stringify(event).length < 4_000),
      ['large'],
    ],
    [
      'requires events in order',
      (received) =>
        verified(received, ({ occurredAt }) => {
          const isLater = String(occurredAt) >= newest
          newest = isLater ? String(occurredAt) : newest
          return isLater
        }),
      ['order'],
    ],
    ['does not know the new secret', right(), ['rotation'], ['--new-secret', OTHER]],
  ]
  for (const [what, endpoint, found, words = []] of rows) {
    expect.soft(await failedAt(endpoint, ...words), what).toEqual(found)
  }
})

it('says what to do without an endpoint, a secret or a URL', async () => {
  const gone = await runHavnCommand(['webhook-test', 'http://127.0.0.1:9/', '--secret', SECRET], {})
  expect([gone.code, gone.out]).toEqual([4, expect.stringContaining('FAILED  a valid delivery is accepted')])
  expect(gone.error).toContain('nothing else was tried\nNext: check the URL')
  const silent = await runHavnCommand(['webhook-test', 'http://127.0.0.1:9/'], {})
  expect([silent.code, silent.error]).toEqual([1, expect.stringContaining('HAVN_WEBHOOK_SECRET')])
  const wrong = await runHavnCommand(['webhook-test', 'localhost', '--secret', SECRET], {})
  expect([wrong.code, wrong.error]).toEqual([1, expect.stringContaining('must be an http or https URL')])
})
