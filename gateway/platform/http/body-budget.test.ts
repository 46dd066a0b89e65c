/** Tests that long bodies in flight are bounded, in all and of one client, and that nothing stays reserved. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forEachRow } from '../../testing/for-each-row.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { openLog } from '../observability/log.ts'
import { reserveLargeBody } from './client-limits.ts'
import { apiError } from './errors/api-error.ts'
import { openServer } from './server.ts'

const LENGTH = 40_000
const LARGE_LENGTH = 400_000
const BUDGETS = {
  usual: { max: 2 * LENGTH, maxPerClient: LENGTH },
  large: { max: 2 * LARGE_LENGTH, maxPerClient: LARGE_LENGTH },
}
const [ONE, SAME, OTHER, THIRD] = ['2001:db8::1', '2001:db8::2', '203.0.113.2', '203.0.113.3']

let server: FastifyInstance
let held: PromiseWithResolvers<void>
let arrived: PromiseWithResolvers<Socket>
beforeEach(async () => {
  server = openServer({
    log: openLog({ program: 'test', level: 'silent' }),
    baseUrl: 'http://gateway.example',
    trustProxy: 1,
    bodies: BUDGETS,
  })
  held = Promise.withResolvers()
  arrived = Promise.withResolvers()
  server.post('/usual', { bodyLimit: LENGTH }, async () => 'done')
  server.post('/held', { bodyLimit: LENGTH }, async (request) => {
    arrived.resolve(request.raw.socket)
    await held.promise
    return 'done'
  })
  const onRequest = async () => {
    throw apiError('forbidden', 'No')
  }
  server.post('/forbidden', { onRequest }, async () => 'done')
  const large = {
    bodyLimit: LARGE_LENGTH,
    onRequest: async (request: FastifyRequest) => reserveLargeBody(request, request.ip),
  }
  server.post('/large', large, async () => 'done')
  server.post('/large-held', large, async () => {
    await held.promise
    return 'done'
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  held.resolve()
  await server.close()
})

const text = (length: number) => `"${'x'.repeat(length - 2)}"`

async function post(path: string, client: string, length: number) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': client }
  const response = await fetch(`${server.listeningOrigin}${path}`, { method: 'POST', headers, body: text(length) })
  await response.text()
  return [response.status, response.headers.get('retry-after')]
}

test.each([
  ['of the usual length', '/usual', '/held', LENGTH, SAME],
  ['of a payroll', '/large', '/large-held', LARGE_LENGTH, ONE],
])('bodies %s that are in use at once are bounded for each client and in all', async (...row) => {
  const [, path, holding, length, same] = row
  const first = post(holding, ONE, length)
  // An answered try leaves nothing behind.
  await eventually(async () => expect(await post(path, same, length)).toEqual([429, '2']))
  expect(await post(path, OTHER, length)).toEqual([200, null])
  const second = post(holding, OTHER, length)
  await eventually(async () => expect(await post(path, THIRD, length)).toEqual([503, '2']))
  expect(await post('/usual', same, 16_000)).toEqual([200, null])
  held.resolve()
  expect(await Promise.all([first, second])).toEqual([
    [200, null],
    [200, null],
  ])
  expect(await post(path, ONE, length)).toEqual([200, null])
})

/** Sends the request as it is, and closes the connection once `until` has happened. */
async function send(request: string, until: (socket: Socket) => Promise<unknown>): Promise<void> {
  const socket = connect({ port: Number(new URL(server.listeningOrigin).port), host: '127.0.0.1' })
  socket.write(request)
  await until(socket)
  socket.destroy()
}

const connected = (socket: Socket) => once(socket, 'connect')
const answered = (socket: Socket) => once(socket, 'data')
const head = (path: string, ...lines: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    'Content-Type: application/json',
    `X-Forwarded-For: ${ONE}`,
    ...lines,
    '',
    '',
  ].join('\r\n')
const withLength = (path: string, body: string, length = body.length) =>
  `${head(path, `Content-Length: ${length}`)}${body}`
const chunked = (path: string, body: string) =>
  `${head(path, 'Transfer-Encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n`

test('nothing stays reserved after a request, however it ends', async () => {
  const rows: readonly [string, string, typeof answered][] = [
    ['a valid body', withLength('/usual', text(LENGTH)), answered],
    ['invalid JSON', withLength('/usual', 'x'.repeat(LENGTH)), answered],
    ['a forbidden request', withLength('/forbidden', text(LENGTH)), answered],
    ['an unknown path', withLength('/unknown', text(LENGTH)), answered],
    ['a body that is too long for all', withLength('/usual', '', 300_000), answered],
    ['a body that is sent in part', withLength('/usual', text(LENGTH).slice(0, LENGTH / 2), LENGTH), connected],
    ['a payroll that is sent in part', withLength('/large', text(LENGTH), LARGE_LENGTH), connected],
    ['a payroll of unknown length', `${chunked('/large', text(LENGTH))}0\r\n\r\n`, answered],
    ['an unfinished payroll of unknown length', chunked('/large', text(LENGTH)), connected],
  ]
  await forEachRow(
    rows,
    ([name]) => name,
    async ([, request, until]) => {
      await send(request, until)
      await eventually(async () => expect(await post('/usual', ONE, LENGTH)).toEqual([200, null]))
      await eventually(async () => expect(await post('/large', ONE, LARGE_LENGTH)).toEqual([200, null]))
    },
  )
})

test('a body stays reserved until its request has been carried out, though its client is gone', async () => {
  await send(withLength('/held', text(LENGTH)), () => arrived.promise)
  const socket = await arrived.promise
  await eventually(() => expect(socket.closed).toBe(true))
  expect(await post('/usual', ONE, LENGTH)).toEqual([429, '2'])
  held.resolve()
  await eventually(async () => expect(await post('/usual', ONE, LENGTH)).toEqual([200, null]))
})

test('a body of unknown length counts as the longest until it has arrived', async () => {
  await send(chunked('/held', text(20)), async (socket) => {
    await eventually(async () => expect(await post('/usual', ONE, LENGTH)).toEqual([429, '2']))
    socket.write('0\r\n\r\n')
    await arrived.promise
    expect(await post('/usual', ONE, LENGTH)).toEqual([200, null])
  })
})
