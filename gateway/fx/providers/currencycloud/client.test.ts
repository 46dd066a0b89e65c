/** Tests login, rate limits, timeouts and redaction of the client over HTTP, with many concurrent calls. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openConnector, SAMPLE_ACCESS, type TestConnector } from '../../testing/connector-for-tests.ts'
import { openLocalCallRateLimiter } from '../../testing/local-call-rate-limiter.ts'
import {
  openRecordedProvider,
  type RecordedProvider,
  recorded,
  recordedCalls,
} from '../../testing/recorded-provider.ts'
import { FxProviderError } from '../fx-provider-error.ts'
import type { PayoutOrder } from '../payout.ts'

const LOGIN = 'POST /v2/authenticate/api'
const READ = 'GET /v2/payments/1'
const LEAST = { callMilliseconds: 1_500, headersMilliseconds: 1_500 }
const OTHER_ACCESS = { callsPerMinute: 100, rateCallsPerMinute: 50 }
const CONTACT = '04d0c252-7b78-4d72-b408-df78841e3ddc'
const ORDER: PayoutOrder = {
  requestId: 'ours',
  beneficiaryId: 'theirs',
  amount: { minor: 100n, currency: 'NOK' },
  conversionId: null,
  reference: 'Invoice 7',
  reason: 'Goods',
  purposeCode: null,
  method: 'regular',
  payer: null,
}

let played: RecordedProvider
const opened: TestConnector[] = []
beforeEach(async () => {
  played = await openRecordedProvider()
  played.answer(READ, recorded('payment-created'))
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  await played.close()
})

function open(options: Parameters<typeof openConnector>[1] = {}): TestConnector {
  const connector = openConnector(played.url, options)
  opened.push(connector)
  return connector
}
async function rejectionOf(promise: Promise<unknown>): Promise<FxProviderError> {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (error instanceof FxProviderError) {
    return error
  }
  throw new Error('It was not refused')
}
const ended = () => {
  const [first] = recordedCalls('login-ended')
  return { status: first?.status ?? 0, body: first?.response }
}

describe('the login', () => {
  test('is shared by all calls, also by concurrent ones', async () => {
    const { provider } = open()
    await Promise.all(Array.from({ length: 20 }, () => provider.readPayout('1')))
    await provider.readPayout('1')
    expect(played.logins.map(({ fields, token }) => ({ fields, token }))).toEqual([
      { fields: { login_id: SAMPLE_ACCESS.loginId, api_key: SAMPLE_ACCESS.apiKey }, token: null },
    ])
    expect(new Set(played.requested.map(({ token }) => token))).toEqual(new Set(['token-1']))
  })

  test('that has ended is renewed once for all calls, and each call is repeated once', async () => {
    const { provider } = open()
    await provider.readPayout('1')
    played.answer(READ, ({ token }) => (token === 'token-1' ? ended() : recorded('payment-created')))
    await Promise.all(Array.from({ length: 20 }, () => provider.readPayout('1')))
    expect(played.logins).toHaveLength(2)
    expect(played.requested.filter(({ token }) => token === 'token-2')).toHaveLength(20)
  })

  test('that does not help is not renewed again and again', async () => {
    const { provider } = open()
    played.answer(READ, ended())
    expect(await rejectionOf(provider.readPayout('1'))).toMatchObject({ kind: 'login-rejected', status: 401 })
    expect(played.requested).toHaveLength(2)
    expect(played.logins).toHaveLength(2)
  })

  test.each(['login-rejected', 'login-forbidden', 'key-of-wrong-length'])(
    'rejected (%s) is not retried at once, and sends no order',
    async (name) => {
      const { provider } = open()
      played.answer(LOGIN, recorded(name))
      expect(await rejectionOf(provider.orderPayout(ORDER))).toMatchObject({ kind: 'login-rejected' })
      expect(await rejectionOf(provider.orderPayout(ORDER))).toMatchObject({ kind: 'login-rejected' })
      expect(played.logins).toHaveLength(1)
      expect(played.requested).toEqual([])
    },
  )

  test('that failed temporarily is retried by the next call', async () => {
    const { provider } = open()
    played.answer(LOGIN, recorded('server-error'), { status: 200, body: { auth_token: 'token-2' } })
    expect(await rejectionOf(provider.readPayout('1'))).toMatchObject({ kind: 'unavailable' })
    await provider.readPayout('1')
  })
})

describe('rate limits', () => {
  test('of the provider are stored before they cause a rejection', async () => {
    const times: number[] = []
    const rateLimiter = openLocalCallRateLimiter({
      now: () => 0,
      wait: async (milliseconds) => void times.push(milliseconds),
    })
    const { provider } = open({ access: OTHER_ACCESS, rateLimiter })
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => provider.readPayout('1')))
    const made = all.filter(({ status }) => status === 'fulfilled')
    expect(played.requested).toHaveLength(made.length)
    // The burst of 6 of the jobs' 30 a minute; of the users' 70 half of their burst, and what fits into a second.
    expect(made).toHaveLength(14)
    expect(times.map(Math.round)).toEqual([536])
    const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(reasons[0]).toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 2 })
  })

  test('that the provider reports as exceeded are waited for, without further calls', async () => {
    const clock = { now: 0 }
    const { provider } = open({ rateLimiter: openLocalCallRateLimiter({ now: () => clock.now }) })
    const ask = () => provider.intermediaryAccount({ currency: 'GBP', country: 'GB' })
    const tooMany = { ...recorded('too-many-requests'), headers: { 'retry-after': '30' } }
    played.answer('GET /v2/funding_accounts/find', tooMany, recorded('funding-accounts'))
    expect(await rejectionOf(ask())).toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 30 })
    clock.now = 20_000
    expect(await rejectionOf(ask())).toMatchObject({ kind: 'rate-limited', retryAfterSeconds: 10 })
    expect(played.requested).toHaveLength(1)
    clock.now = 30_000
    await ask()
  })

  test.each([
    [undefined, 60],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 60],
    ['0', 1],
    ['999999', 3600],
  ])('a Retry-After of %s is %i seconds', async (header, seconds) => {
    const headers = header === undefined ? {} : { 'retry-after': header }
    played.answer(READ, { ...recorded('too-many-requests'), headers })
    expect(await rejectionOf(open().provider.readPayout('1'))).toMatchObject({ retryAfterSeconds: seconds })
  })
})

describe('the transport', () => {
  test('times out: a read may be retried, and an order has an unknown outcome', async () => {
    const { provider } = open({ limits: LEAST })
    await provider.readPayout('1')
    const hung = { status: 200, body: '', headers: { 'content-length': '10' } }
    played.answer(READ, hung)
    played.answer('POST /v2/payments/create', hung)
    expect(await rejectionOf(provider.readPayout('1'))).toMatchObject({ kind: 'unavailable' })
    expect(await rejectionOf(provider.orderPayout(ORDER))).toMatchObject({ kind: 'outcome-unknown' })
  })

  test('is open as soon as the provider is back, however long it was unavailable', async () => {
    const { provider } = open()
    played.answer(READ, ...Array.from({ length: 30 }, () => null), recorded('payment-created'))
    for (let times = 0; times < 30; times += 1) {
      await rejectionOf(provider.readPayout('1'))
    }
    await provider.readPayout('1')
  })

  test('follows no redirect: it is no valid response', async () => {
    played.answer(READ, { status: 302, body: {}, headers: { location: `${played.url}/elsewhere` } })
    expect(await rejectionOf(open().provider.readPayout('1'))).toMatchObject({ kind: 'unavailable', status: 302 })
    expect(played.requested).toHaveLength(1)
  })

  test('is reported to observers without anything of the order', async () => {
    const { provider, calls } = open()
    await provider.readPayout('1')
    played.answer(READ, null)
    await rejectionOf(provider.readPayout('1'))
    expect(calls.map(({ milliseconds: _, ...call }) => call)).toEqual([
      { provider: 'currencycloud', operation: 'logIn', outcome: '200' },
      { provider: 'currencycloud', operation: 'readPayout', outcome: '200' },
      { provider: 'currencycloud', operation: 'readPayout', outcome: 'unreachable' },
    ])
  })

  test('keeps the key and the token out of errors', async () => {
    const echo = {
      error_code: SAMPLE_ACCESS.apiKey,
      error_messages: { base: [{ code: 'token 1', message: 'NO9386011117947' }] },
    }
    played.answer(READ, { status: 400, body: echo })
    const rejection = await rejectionOf(open().provider.readPayout('1'))
    const text = JSON.stringify([rejection.message, rejection.code, rejection.validationErrors])
    expect(text).not.toContain(SAMPLE_ACCESS.apiKey)
    expect(text).not.toMatch(/token|9386011/)
  })
})

describe('a sub-account', () => {
  const access = { onBehalfOf: CONTACT }

  test('is sent with every call that supports sub-accounts, and with no other', async () => {
    const { provider } = open({ access })
    played.answer('GET /v2/funding_accounts/find', recorded('funding-accounts'))
    played.answer('POST /v2/conversions/c/cancel', recorded('conversion-cancelled'))
    await provider.readPayout('1')
    await provider.intermediaryAccount({ currency: 'GBP', country: 'GB' })
    await provider.cancelConversion('c')
    expect(played.requested.map(({ fields }) => fields['on_behalf_of'])).toEqual([CONTACT, CONTACT, undefined])
    expect(played.logins[0]?.fields).not.toHaveProperty('on_behalf_of')
  })
})
