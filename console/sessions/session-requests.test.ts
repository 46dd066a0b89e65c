/** Guarantees that one session's requests and exports delay no other session: they run in turn, and a few at a time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePathOf, signInAs, titleOf } from '../../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { openSessionRequests, partsInTurn } from './session-requests.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const REQUESTS_MAX = 13

test('the work of a session is done one after the other, that of another at once, and too many are rejected', async () => {
  const beginInSession = openSessionRequests<unknown>()
  const order: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const requests = Array.from({ length: REQUESTS_MAX }, () => beginInSession('a'))
  const work = requests.map(({ inTurn }, n) =>
    inTurn(async () => {
      await promise
      order.push(`a${n}`)
      throw new Error('failed')
    }),
  )
  expect(() => beginInSession('a')).toThrow(expect.objectContaining({ reasonCode: 'too-many-requests' }))
  expect(await beginInSession('b').inTurn(async () => order.push('b'))).toBe(1)
  resolve()
  await Promise.allSettled(work)
  expect(order).toEqual(['b', ...work.map((_, n) => `a${n}`)])
  for (const { end } of requests) {
    end()
  }
  expect(await beginInSession('a').inTurn(async () => 'again')).toBe('again')
})

test('a form that is sent twice in succession is handled once, and both have the answer', async () => {
  const beginInSession = openSessionRequests<number>()
  let handled = 0
  const handle = async () => {
    handled += 1
    return handled
  }
  const answers = await Promise.all(
    ['form', 'form', 'other', 'form'].map((form) => beginInSession('a').onceInTurn(form, handle)),
  )
  expect([...answers, await beginInSession('b').onceInTurn('form', handle)]).toEqual([1, 1, 2, 3, 4])
})

test('a file that is being sent takes a turn for each part, and none between them', async () => {
  const { inTurn } = openSessionRequests<unknown>()('a')
  const order: string[] = []
  async function* file() {
    try {
      yield 'first'
      order.push('second')
      yield 'second'
    } finally {
      order.push('closed')
    }
  }
  const parts = partsInTurn(file(), inTurn)
  expect(await parts.next()).toEqual({ done: false, value: 'first' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const page = inTurn(async () => {
    await promise
    order.push('page')
  })
  const second = parts.next()
  resolve()
  await page
  expect(await second).toEqual({ done: false, value: 'second' })
  await parts.return(undefined)
  expect(order).toEqual(['page', 'second', 'closed'])
})

/** The pages of payments wait until the lock is released. */
async function lockPayments(): Promise<() => Promise<void>> {
  const connection = await gateway.context.database.pool.connect()
  await connection.query('begin')
  await connection.query('lock table payments in access exclusive mode')
  return async () => {
    await connection.query('rollback')
    connection.release()
  }
}

test('the request too many of a session is answered with 429 and Retry-After, while another session is served', async () => {
  const [busy, other] = [await signInAs(gateway, 'operator'), await signInAs(gateway, 'operator')]
  const livePath = livePathOf(await busy.open('/console/requests/tail'))
  const release = await lockPayments()
  const opened = Array.from({ length: REQUESTS_MAX + 1 }, () => busy.tab().open('/console/payments.csv'))
  const rejected = await Promise.race(opened)
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '1'])
  // It was no form: there is nothing that could have been changed.
  expect(titleOf(rejected)).toBe('An error occurred')
  expect((await other.open('/console/sessions')).status).toBe(200)
  const stream = new AbortController()
  const live = await fetch(`${gateway.url}${livePath}`, { headers: { cookie: busy.cookies() }, signal: stream.signal })
  expect([live.status, live.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')])
  stream.abort()
  await release()
  const statuses = (await Promise.all(opened)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([...Array.from({ length: REQUESTS_MAX }, () => 200), 429])
  expect((await busy.open('/console/payments')).status).toBe(200)
})
