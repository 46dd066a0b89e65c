/** Tests the injected faults of the control API. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../gateway/testing/gateway/eventually.ts'
import { startTestBank, type TestBank } from '../testing/test-bank.ts'
import { order, PAYMENTS, type ThirdParty, thirdPartyOf, userHeaders } from '../testing/third-party.ts'

let tested: TestBank
let tpp: ThirdParty
beforeAll(async () => {
  tested = await startTestBank()
  tpp = thirdPartyOf(() => tested.bank)
})
afterAll(() => tested.close())
afterEach(() => tpp.control('DELETE', '/faults'))

const strike = (fault: object) => tpp.control('POST', '/faults', { bank: 'FJORNO22', ...fault })
const heldWith = async (requestId: string) => {
  const { body } = await tpp.control('GET', '/payments?bank=FJORNO22')
  return Array.isArray(body) && body.some((payment) => payment.requestId === requestId)
}

function place(requestId: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${tested.bank.xs2aUrl}/fjordbanken/v1${PAYMENTS}`, {
    method: 'POST',
    headers: { ...userHeaders, 'X-Request-ID': requestId, 'Content-Type': 'application/json' },
    body: JSON.stringify(order()),
    ...(signal === undefined ? {} : { signal }),
  })
}

describe('a fault', () => {
  test('withholds a response while the order is stored, as often as configured', async () => {
    await strike({ operation: 'initiatePayment', effect: 'withhold-answer', times: 1 })
    const requestId = crypto.randomUUID()
    const impatient = new AbortController()
    const lost = place(requestId, impatient.signal)
    await eventually(async () => expect(await heldWith(requestId)).toBe(true))
    impatient.abort()
    await expect(lost).rejects.toThrow('aborted')
    expect((await tpp.control('GET', '/faults')).body).toEqual([])
    expect((await place(crypto.randomUUID())).status).toBe(201)
  })

  test('that withholds a response does not keep the bank from closing', async () => {
    const other = await startTestBank()
    const elsewhere = thirdPartyOf(() => other.bank)
    await elsewhere.control('POST', '/faults', { bank: 'FJORNO22', operation: '*', effect: 'withhold-answer' })
    const lost = expect(elsewhere.send('POST', PAYMENTS, { body: order(), headers: userHeaders })).rejects.toThrow()
    await eventually(async () => expect((await elsewhere.control('GET', '/payments')).body).toHaveLength(1))
    await other.close()
    await lost
  })

  test('drops the connection when the work is done', async () => {
    await strike({ operation: 'initiatePayment', effect: 'drop-connection', times: 1 })
    const requestId = crypto.randomUUID()
    await expect(place(requestId)).rejects.toThrow('fetch failed')
    expect(await heldWith(requestId)).toBe(true)
  })

  test('on a response waits for a call that succeeds, of any of its operations, and also while the bank is slow', async () => {
    const slow = { operation: '*', effect: 'slow', milliseconds: 1 }
    const lost = { operation: ['initiateBulkPayment', 'initiatePayment'], effect: 'drop-connection', times: 1 }
    await strike(slow)
    await strike(lost)
    const rejected = await tpp.send('POST', PAYMENTS, { body: {}, headers: userHeaders })
    expect(rejected.status).toBe(400)
    const requestId = crypto.randomUUID()
    await expect(place(requestId)).rejects.toThrow('fetch failed')
    expect(await heldWith(requestId)).toBe(true)
    expect((await tpp.control('GET', '/faults')).body).toEqual([{ bank: 'FJORNO22', ...slow }])
    expect((await strike({ ...lost, operation: ['initiatePayment', 'pay'] })).text('message')).toContain(
      'operation pay;',
    )
  })

  test('drops a request before any work', async () => {
    await strike({ operation: 'initiatePayment', effect: 'drop-request', times: 1 })
    const requestId = crypto.randomUUID()
    await expect(place(requestId)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } })
    expect(await heldWith(requestId)).toBe(false)
  })

  test('closes the port of its bank, with open connections, until cleared', async () => {
    const urls = ['fjordbanken', 'fjell'].map((path) => `${tested.bank.urlOf(path)}/v1/accounts`)
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url)).status))
    const [, port] = urls.map((url) => Number(new URL(url).port))
    const idle = connect({ host: '127.0.0.1', port: Number(new URL(tested.bank.xs2aUrl).port) })
    await once(idle, 'connect')
    expect(await statuses()).toEqual([400, 400])
    const ended = once(idle, 'close')
    for (const _ of [1, 2]) {
      await strike({ operation: '*', effect: 'down' })
      await expect(place(crypto.randomUUID())).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    }
    await ended
    const other = await fetch(urls[1] ?? '')
    expect([other.status, Number(new URL(other.url).port)]).toEqual([400, port])
    const down = { bank: 'FJORNO22', operation: '*', effect: 'down' }
    expect((await tpp.control('GET', '/faults')).body).toEqual([down, down])
    await tpp.control('DELETE', '/faults?effect=slow')
    await expect(fetch(urls[0] ?? '')).rejects.toThrow('fetch failed')
    await tpp.control('DELETE', '/faults')
    expect(await statuses()).toEqual([400, 400])
  })

  test.each([{ operation: 'initiatePayment' }, { times: 1 }, { page: 2 }])(
    'does not close a port for a part of the calls: %j',
    async (part) => {
      const rejected = await strike({ operation: '*', effect: 'down', ...part })
      expect([rejected.status, rejected.text('message')]).toEqual([400, expect.stringContaining('drop-request')])
      expect((await place(crypto.randomUUID())).status).toBe(201)
    },
  )

  test('of a bank that is down ends with a reset of all banks', async () => {
    const other = await startTestBank()
    const elsewhere = thirdPartyOf(() => other.bank)
    await elsewhere.control('POST', '/faults', { bank: 'FJORNO22', operation: '*', effect: 'down' })
    await elsewhere.control('POST', '/reset')
    expect((await elsewhere.send('GET', '/accounts')).status).toBe(400)
    await elsewhere.control('POST', '/faults', { bank: 'FJORNO22', operation: '*', effect: 'down' })
    await other.close()
  })

  test.each([500, 503, 401])('returns %s with an error body, without the work', async (status) => {
    await strike({ operation: 'initiatePayment', effect: 'status', status, times: 1 })
    const requestId = crypto.randomUUID()
    const answer = await place(requestId)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toHaveProperty('tppMessages')
    expect(await heldWith(requestId)).toBe(false)
  })

  test('affects one order, and says when to ask again, where it names both', async () => {
    const placed = async () => String(Object(await (await place(crypto.randomUUID())).json()).paymentId)
    const [sickId, soundId] = [await placed(), await placed()]
    await strike({ operation: 'getPaymentStatus', effect: 'status', status: 503, resource: sickId, retryAfter: '120' })
    const statusOf = (id: string) =>
      fetch(`${tested.bank.xs2aUrl}/fjordbanken/v1${PAYMENTS}/${id}/status`, {
        headers: { ...userHeaders, 'X-Request-ID': crypto.randomUUID() },
      })
    const refused = await statusOf(sickId)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '120'])
    expect((await statusOf(soundId)).status).toBe(200)
  })

  test('slows an operation down', async () => {
    await strike({ operation: 'initiatePayment', effect: 'slow', milliseconds: 150, times: 1 })
    const before = performance.now()
    expect((await place(crypto.randomUUID())).status).toBe(201)
    expect(performance.now() - before).toBeGreaterThanOrEqual(140)
    // A timer that is longer ends at once.
    const tooLong = await strike({ operation: 'initiatePayment', effect: 'slow', milliseconds: 2 ** 31, times: 1 })
    expect(tooLong.status).toBe(400)
  })

  test('affects its own operation and bank only', async () => {
    await strike({ operation: 'getPaymentStatus', effect: 'drop-request' })
    expect((await place(crypto.randomUUID())).status).toBe(201)
    expect((await strike({ operation: '*', effect: 'down', bank: 'OTHERNO2' })).status).toBe(400)
    expect((await strike({ operation: '*', effect: 'explode' })).status).toBe(400)
  })
})
