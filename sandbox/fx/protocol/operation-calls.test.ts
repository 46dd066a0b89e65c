/** Tests what applies to every call: sessions, limits, parameters of the public API, and injected faults. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import published from '../../../data/sandbox-fx/interface.json' with { type: 'json' }
import { type Answer, startTestFxProvider, type TestFxProvider } from '../../testing/test-fx-provider.ts'
import { operations } from '../operations.ts'
import { LOGIN } from './log-in.ts'

const ID = '018f3c3a-0000-7000-8000-000000000000'
const pair = { buy_currency: 'USD', sell_currency: 'NOK', fixed_side: 'buy', amount: '1000.00' }
const conversion = { ...pair, term_agreement: 'true', reason: 'Test', unique_request_id: 'calls-1' }

let fx: TestFxProvider
beforeAll(async () => {
  fx = await startTestFxProvider()
  await fx.moveTo('2027-03-02T09:00:00Z')
})
afterAll(() => fx.close())
beforeEach(async () => {
  await fx.control('/faults', undefined, 'DELETE')
})

const codesOf = ({ body }: Answer) =>
  Object.values(Object(body['error_messages'])).flatMap((validationErrors) =>
    [validationErrors].flat().map((validationError) => String(Object(validationError).code)),
  )
const call = (method: string, path: string, parameters: Readonly<Record<string, string>>) => {
  const filled = path.replace('{id}', ID)
  return method === 'GET' ? fx.get(filled, parameters) : fx.post(filled, parameters)
}
const bare = (name: string) => name.replace(/\[[0-9]*\]$/, '')

describe('every operation', () => {
  const served = operations.map(({ method, path }) => {
    const entry = published.operations.find((one) => one.method === method && one.path === path)
    const parameters = (entry?.params ?? []).filter((one) => one.in !== 'path')
    return { method, path, parameters, entry }
  })

  test('is one of the published API', () => {
    expect(served.filter(({ entry }) => entry === undefined)).toEqual([])
  })

  test.each(served)('$method $path reports every missing parameter, and one that is unknown', async (one) => {
    const { method, path, parameters } = one
    const answer = await call(method, path, { no_such_parameter: '1' })
    const lacking = parameters.filter((it) => 'required' in it).map(({ name }) => `${bare(name)}_is_required`)
    expect(answer.status).toBe(400)
    expect(codesOf(answer).toSorted()).toEqual(['invalid_extra_parameters', ...lacking].toSorted())
  })

  const listed = served.flatMap(({ method, path, parameters }) =>
    parameters.flatMap((one) => ('enum' in one ? [{ method, path, name: bare(one.name) }] : [])),
  )
  test.each(listed)('$method $path accepts no other name for $name', async ({ method, path, name }) => {
    expect(codesOf(await call(method, path, { [name]: 'whatever' }))).toContain(`${name}_not_in_range`)
  })

  test.each([
    ['/conversions/create', { ...conversion, quote_id: 'mine' }, 'quote_id_is_not_valid_uuid'],
    ['/conversions/create', { ...conversion, buy_currency: 'dollars' }, 'buy_currency_is_in_invalid_format'],
    ['/conversions/create', { ...conversion, conversion_date: '2027-02-30' }, 'conversion_date_type_is_wrong'],
    ['/conversions/create', { ...conversion, reason: '' }, 'reason_is_too_short'],
  ])('%s validates its input', async (path, form, code) => {
    expect(codesOf(await fx.post(path, form))).toEqual([code])
  })
})

describe('a session', () => {
  const login = (form: Readonly<Record<string, string>>) =>
    fetch(`${fx.provider.url}/v2/authenticate/api`, { method: 'POST', body: new URLSearchParams(form) })
  const look = (token: string) =>
    fetch(`${fx.provider.url}/v2/transactions/find`, { headers: { 'x-auth-token': token } })
  const key = { login_id: LOGIN.loginId, api_key: LOGIN.apiKey }

  test('starts with the right login only', async () => {
    expect((await login(key)).status).toBe(200)
    expect((await login({ ...key, api_key: 'x'.repeat(64) })).status).toBe(401)
    expect((await login({ ...key, login_id: 'somebody' })).status).toBe(401)
    expect(await (await login({ ...key, api_key: 'short' })).json()).toMatchObject({
      error_code: 'auth_invalid_user_login_details',
      error_messages: { api_key: [{ code: 'api_key_length_is_invalid', params: { length: 64 } }] },
    })
  })

  test('is required for everything else, and ends when all are ended', async () => {
    expect((await look('')).status).toBe(401)
    const { auth_token } = Object(await (await login(key)).json())
    expect((await look(auth_token)).status).toBe(200)
    await fx.control('/sessions', undefined, 'DELETE')
    expect(await (await look(auth_token)).json()).toMatchObject({ error_code: 'auth_failed' })
    await fx.restart()
  })

  test('lives by wall time, however far business time moves', async () => {
    await fx.moveTo('2027-03-03T09:00:00Z')
    expect((await fx.get('/transactions/find')).status).toBe(200)
    await fx.moveTo('2027-03-02T09:00:00Z')
  })
})

describe('the rate limit', () => {
  test('rejects more than so many calls in a minute', async () => {
    await fx.control('/limits', { perMinute: 2 })
    const statuses: number[] = []
    for (const _call of [1, 2, 3]) {
      statuses.push((await fx.get('/transactions/find')).status)
    }
    await fx.control('/limits', { perMinute: 1_000_000 })
    expect(statuses).toEqual([200, 200, 429])
  })
})

describe('a fault', () => {
  const book = (unique_request_id: string) => fx.post('/conversions/create', { ...conversion, unique_request_id })
  const found = async (unique_request_id: string) => {
    const { body } = await fx.get('/conversions/find', { unique_request_id })
    return [body['conversions']].flat().length
  }
  const operation = 'POST /conversions/create'

  test.each([
    ['too-many-requests', 429, 'too_many_requests'],
    ['server-error', 500, 'internal_application_error'],
    ['unavailable', 503, 'service_unavailable'],
  ])('%s returns %i, and nothing is done', async (effect, status, code) => {
    await fx.control('/faults', { effect, operation, times: 1 })
    const answer = await book(effect)
    expect([answer.status, ...codesOf(answer)]).toEqual([status, code])
    expect(await found(effect)).toBe(0)
    expect((await book(effect)).status).toBe(200)
  })

  test('drop-request breaks the connection before anything is done', async () => {
    await fx.control('/faults', { effect: 'drop-request', operation, times: 1 })
    await expect(book('lost')).rejects.toThrow()
    expect(await found('lost')).toBe(0)
  })

  test.each(['lose-answer', 'cut-answer'])(
    '%s does what was requested, and the response does not arrive',
    async (effect) => {
      await fx.control('/faults', { effect, operation, times: 1 })
      await expect(book(effect)).rejects.toThrow()
      expect(await found(effect)).toBe(1)
      expect(codesOf(await book(effect))).toEqual(['duplicate_request'])
    },
  )

  test('affects its operation, as often as configured', async () => {
    await fx.control('/faults', { effect: 'unavailable', operation, times: 2 })
    expect((await fx.get('/rates/detailed', pair)).status).toBe(200)
    expect([(await book('a')).status, (await book('b')).status, (await book('c')).status]).toEqual([503, 503, 200])
  })

  test('session-lost requires a new login', async () => {
    const other = await startTestFxProvider()
    await other.control('/faults', { effect: 'session-lost', times: 1 })
    expect((await other.get('/transactions/find')).status).toBe(401)
    await other.close()
  })

  test('slow responds late', async () => {
    await fx.control('/faults', { effect: 'slow', milliseconds: 300, times: 1 })
    const began = performance.now()
    expect((await fx.get('/transactions/find')).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThanOrEqual(290)
  })
})

describe('the control API', () => {
  test('counts the calls of each operation', async () => {
    const before = Number(Object(await fx.control('/calls'))['GET /transactions/find'])
    await fx.get('/transactions/find')
    expect(Object(await fx.control('/calls'))['GET /transactions/find']).toBe(before + 1)
  })

  test('rejects pages of other sites, and unknown faults', async () => {
    const address = `${fx.provider.controlUrl}/control/faults`
    expect((await fetch(address, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
    await expect(fx.control('/faults', { effect: 'fire' })).rejects.toThrow('400')
  })

  test('shows everything on a page', async () => {
    const page = await fetch(`${fx.provider.controlUrl}/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('NO3380590100009')
  })
})
