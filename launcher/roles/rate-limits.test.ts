/** Tests that every client has a rate-limit window of its own, and gets what is left of it and when it resets. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { changeClientPermission } from '../../gateway/auth/client-permissions.ts'
import { newId } from '../../gateway/platform/ids.ts'
import { sendRawRequest, UNKNOWN_ID, validHeaders } from '../../gateway/testing/contract/send-raw-request.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent } from '../../gateway/testing/payments/sample-payments.ts'

/** Small limits take few requests to reach. */
const TOKENS_PER_MINUTE = 6
const CALLS_PER_SECOND = 30
const HINTS_PER_SECOND = 100

let gateway: TestGateway
beforeAll(async () => {
  const settings = {
    HAVN_TOKEN_REQUESTS_PER_MINUTE: String(TOKENS_PER_MINUTE),
    HAVN_REQUESTS_PER_SECOND: String(CALLS_PER_SECOND),
    HAVN_TRUST_PROXY: '1',
  }
  gateway = await startTestGateway({ settings })
})
afterAll(() => gateway.close())

/** Ends every window of a second that an earlier request started. */
const AHEAD_MILLISECONDS = 2_000
let moment = 0

/**
 * Wall time stands still meanwhile, so that no window ends however slow the machine is. Each instant is later than the
 * last.
 */
async function inOneMoment<Result>(work: () => Promise<Result>): Promise<Result> {
  moment = Math.max(moment, Date.now()) + AHEAD_MILLISECONDS
  vi.useFakeTimers({ toFake: ['Date'], now: moment })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

const FORM = { grant_type: 'client_credentials', scope: scopesByEnvironment.sandbox }
const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:wrong`).toString('base64')}` })

function askForToken(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return gateway.fetch('/v2/connect/token', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ ...FORM, ...form }),
  })
}

async function expectTooMany(response: Pick<Response, 'status' | 'headers'>, max: number, windowSeconds: number) {
  expect(response.status).toBe(429)
  const reported = (name: string) => Number(response.headers.get(name))
  expect(reported('retry-after')).toBeGreaterThanOrEqual(1)
  expect(reported('retry-after')).toBeLessThanOrEqual(windowSeconds)
  expect(reported('ratelimit-limit')).toBe(max)
  expect(response.headers.get('ratelimit-remaining')).toBe('0')
  expect(reported('ratelimit-reset')).toBeLessThanOrEqual(windowSeconds)
}

test('a stranger who pretends to be a client at another address uses up nothing of that client’s limit', async () => {
  const { credentials } = await gateway.otherPartner()
  const requested = { client_id: credentials.clientId, client_secret: credentials.clientSecret }
  const stranger = { 'x-forwarded-for': '203.0.113.9' }
  for (let n = 0; n < TOKENS_PER_MINUTE; n += 1) {
    await askForToken({ ...requested, client_secret: 'wrong' }, stranger)
  }
  expect((await askForToken({ ...requested, client_secret: 'wrong' }, stranger)).status).toBe(429)
  expect((await askForToken(requested)).status).toBe(200)
})

test('too many notifications from one network all get the same answer, and those from another are accepted', async () => {
  const hint = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const path = `/hints/payments/${UNKNOWN_ID}/${UNKNOWN_ID}/token`
    return await gateway.fetch(path, { method: 'POST', headers, body: '{}' })
  }
  const addressOf = (n: number) => `2001:db8:5:5::${(n + 1).toString(16)}`
  const noneIsLeft = ({ headers }: Response) => headers.get('ratelimit-remaining') === '0'
  await inOneMoment(async () => {
    const flood = await Promise.all(Array.from({ length: HINTS_PER_SECOND + 20 }, (_, n) => hint(addressOf(n))))
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([204]))
    // The last accepted request, and the rejected ones.
    expect(flood.filter(noneIsLeft)).toHaveLength(1 + 20)
    expect(noneIsLeft(await hint('2001:db8:5:6::1'))).toBe(false)
  })
})

test('a caller who pretends to be a new client each time is limited by address', async () => {
  const guesser = { 'x-forwarded-for': '203.0.113.10' }
  const sendRawRequest = (n: number) => askForToken({ client_id: `guess ${n}`, client_secret: 'wrong' }, guesser)
  const answers = await Promise.all(Array.from({ length: 10 * TOKENS_PER_MINUTE + 1 }, (_, n) => sendRawRequest(n)))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
})

test('requests without a valid token are limited by address, and use up nothing of those with one', async () => {
  const flooding = { 'x-forwarded-for': '203.0.113.13' }
  const headers = { ...(await validHeaders(gateway)), ...flooding }
  const max = 10 * TOKENS_PER_MINUTE
  const callWith = (authorization: string | undefined) =>
    sendRawRequest(gateway, ['GET', '/api/companies'], {
      headers: { ...flooding, ...(authorization === undefined ? {} : { authorization }) },
    })
  const tokens = [undefined, 'Bearer none', 'Bearer a.b.c', 'Basic eDp5']
  await inOneMoment(async () => {
    for (let n = 0; n < max; n += 1) {
      expect(await callWith(tokens[n % tokens.length])).toMatchObject({ status: 401 })
    }
    for (const token of tokens) {
      await expectTooMany(await callWith(token), max, 60)
    }
    expect(await sendRawRequest(gateway, ['GET', '/api/companies'], { headers })).toMatchObject({ status: 200 })
    expect(await sendRawRequest(gateway, ['GET', '/api/companies'])).toMatchObject({ status: 401 })
  })
})

describe('the 7th token request of a client in a minute', () => {
  test.each<[string, (id: string) => Promise<Response>]>([
    ['by form', (id) => askForToken({ client_id: id, client_secret: 'wrong' })],
    ['by HTTP Basic', (id) => askForToken({}, basic(id))],
  ])('is rejected with 429, %s; other clients go on', async (how, askAs) => {
    const remaining: string[] = []
    for (let n = 0; n < TOKENS_PER_MINUTE; n += 1) {
      const response = await askAs(`guesser ${how}`)
      expect(response.status).toBe(401)
      remaining.push(response.headers.get('ratelimit-remaining') ?? '')
    }
    expect(remaining.map(Number)).toEqual(
      Array.from({ length: TOKENS_PER_MINUTE }, (_, n) => TOKENS_PER_MINUTE - 1 - n),
    )
    const response = await askAs(`guesser ${how}`)
    await expectTooMany(response, TOKENS_PER_MINUTE, 60)
    const text = expect.stringMatching(/^At most 6 such requests in 60 s; retry in \d+ s$/)
    expect(await response.json()).toEqual({ error: 'temporarily_unavailable', error_description: text })
    expect((await askAs(`another ${how}`)).status).toBe(401)
  })
})

test('the 31st call of a client in a second is rejected with 429, and that of another client is not', async () => {
  const headers = await validHeaders(gateway)
  const call = () => sendRawRequest(gateway, ['GET', '/api/companies'], { headers })
  const answers = await inOneMoment(() => Promise.all(Array.from({ length: CALLS_PER_SECOND + 1 }, call)))
  const [one, ...others] = answers.filter(({ status }) => status === 429)
  expect(others).toEqual([])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(CALLS_PER_SECOND)
  await expectTooMany(one ?? expect.fail('Nobody was refused'), CALLS_PER_SECOND, 1)
  const { client } = await gateway.otherPartner()
  expect(await client.listCompanies()).toHaveLength(1)
  // The clock of the machine was put back: the window does not last until it has caught up.
  expect(await call()).toMatchObject({ status: 200 })
})

test('the body of a request to approve or cancel is read twice a second at most, per caller, however the path is written', async () => {
  // A partner of its own: the windows of the other partners may be used up.
  const { client, credentials } = await gateway.otherPartner()
  await changeClientPermission(gateway.context, 'test', credentials.clientId, ['payroll', true])
  const requested = { ...FORM, client_id: credentials.clientId, client_secret: credentials.clientSecret }
  const token = async () => (await client.issueToken({ body: requested })).access_token
  const headers = await validHeaders({ token }, (await acceptedConsent({ client })).consentId)
  for (const kind of ['payments/approve', 'payments/cancel', 'payroll/approve', 'payroll/cancel']) {
    const read = (id: string) => sendRawRequest(gateway, ['GET', `/api/v2/${kind}/${id}`], { headers })
    const written = [UNKNOWN_ID, `${UNKNOWN_ID}?x=1`, UNKNOWN_ID.toUpperCase(), `${UNKNOWN_ID}?x=2`, `${UNKNOWN_ID}?y`]
    const answers = await inOneMoment(() => Promise.all(written.map(read)))
    const rejected = answers.filter(({ status }) => status === 429)
    expect(
      answers.filter(({ status }) => status === 404),
      kind,
    ).toHaveLength(2)
    expect(rejected, kind).toHaveLength(3)
    expect(rejected.map((answer) => answer.headers.get('ratelimit-limit'))).toEqual(rejected.map(() => '2'))
    expect(await read(newId()), kind).toMatchObject({ status: 404 })
  }
})

test('the 31st webhook test of a partner in a minute is rejected with 429, and those of another partner are not', async () => {
  const path = `/api/webhooks/subscription/${UNKNOWN_ID}/test`
  const headersOfAnother = async () => {
    const { client, credentials } = await gateway.otherPartner()
    const { clientId: client_id, clientSecret: client_secret } = credentials
    const { access_token } = await client.issueToken({
      body: { grant_type: 'client_credentials', scope: scopesByEnvironment.sandbox, client_id, client_secret },
    })
    return { authorization: `Bearer ${access_token}` }
  }
  const headers = await headersOfAnother()
  for (let n = 0; n < 30; n += 1) {
    expect(await sendRawRequest(gateway, ['POST', path], { headers })).toMatchObject({ status: 404 })
  }
  await expectTooMany(await sendRawRequest(gateway, ['POST', path], { headers }), 30, 60)
  expect(await sendRawRequest(gateway, ['POST', path], { headers: await headersOfAnother() })).toMatchObject({
    status: 404,
  })
})
