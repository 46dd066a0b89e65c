/** Tests that any request to the server, even one that is not HTTP, gets the error envelope with a request id. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkErrorShape } from '../../testing/contract/check-error-shape.ts'
import { openLog } from '../observability/log.ts'
import type { AnsweredRequest } from './access-log.ts'
import { openServer } from './server.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INNARDS = /\bat .*\.ts|node_modules|stack|Fastify|FST_|secret detail/

const PROTECTION = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
}

const lines: string[] = []
const observed: AnsweredRequest[] = []
let server: FastifyInstance
let port: number
let inFlight: PromiseWithResolvers<void>
let held: PromiseWithResolvers<string>
beforeAll(async () => {
  const log = openLog({ program: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } })
  server = openServer({
    log,
    baseUrl: 'https://gateway.example',
    trustProxy: 0,
    observe: (answered) => void observed.push(answered),
  })
  server.get('/things/:id', async ({ params }) => params)
  server.post('/things', async ({ body }) => ({ body }))
  server.post('/things/sorted', async () => [])
  server.get('/files/*', async () => 'file')
  server.get('/endless', async (_request, reply) => {
    const stream = new PassThrough()
    stream.write('beginning')
    return reply.send(stream)
  })
  server.get('/held', async () => {
    inFlight.resolve()
    return await held.promise
  })
  server.get('/broken', async () => {
    throw new Error('secret detail')
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(server.listeningOrigin).port)
})
afterAll(() => server.close())

/** Writes bytes to the server, and reads until it closes the connection. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (part) => {
      received += part.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

async function send(text: string): Promise<{ status: number; headers: Map<string, string>; body: string }> {
  const [head = '', body = ''] = (await exchange(text)).split(/\r\n\r\n(.*)/s)
  const [statusLine = '', ...fields] = head.split('\r\n')
  const headers = new Map(
    fields.map((field): [string, string] => [field.split(':')[0]?.toLowerCase() ?? '', field.replace(/^[^:]*: */, '')]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body }
}

const head = (line: string, ...fields: string[]) =>
  `${[line, 'Host: x', 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`

describe('gets the standard error body, with the id of its header', () => {
  test.each<[what: string, text: string, status: number]>([
    ['bytes that are no HTTP', 'good day\r\n\r\n', 400],
    ['TLS on the port of plain HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['a space in the URL', head('GET /a b HTTP/1.1'), 400],
    ['a proxy request', head('CONNECT other.example:443 HTTP/1.1'), 400],
    ['an unknown method', head('FETCH / HTTP/1.1'), 400],
    ['20 kB of headers', head('GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`), 400],
    ['two lengths of one body', head('POST /things HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'), 400],
    [
      'a length together with chunks (request smuggling)',
      head('POST /things HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['a header folded over two lines', head('GET / HTTP/1.1', 'X: a', ' b'), 400],
    ['a request without Host', 'GET /things/1 HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', head('GET /things/1 HTTP/1.1', 'host: other.example'), 400],
    ['the same Host twice', head('GET /things/1 HTTP/1.1', 'HOST: x'), 400],
    [
      'a compressed body',
      `${head('POST /things HTTP/1.1', 'Content-Type: application/json', 'Content-Encoding: gzip', 'Content-Length: 2')}hi`,
      415,
    ],
    [
      'a body in two encodings, one of them invalid',
      `${head('POST /things HTTP/1.1', 'Content-Type: application/json', 'Content-Encoding: identity, br', 'Content-Length: 2')}hi`,
      415,
    ],
    ['an unknown expectation', head('GET /nothing HTTP/1.1', 'Expect: a-miracle'), 404],
    ['a URL that is no path', head('GET * HTTP/1.1'), 404],
    ['a URL of another host', head('GET http://other.example/ HTTP/1.1'), 404],
    ['an unknown path', head('GET /nothing HTTP/1.1'), 404],
    ['an unknown path below a known one', head('GET /things/1/2 HTTP/1.1'), 404],
    ['dots that leave the root', head('GET /../../etc/passwd HTTP/1.1'), 404],
    ['an invalid escape', head('GET /things/%zz HTTP/1.1'), 404],
    ['an escape that is no UTF-8', head('GET /things/%ff HTTP/1.1'), 404],
    ['an overlong parameter', head(`GET /things/${'x'.repeat(300)} HTTP/1.1`), 404],
    ['another method', head('DELETE /things HTTP/1.1'), 405],
    ['QUERY', head('QUERY /things HTTP/1.1'), 405],
    [
      'QUERY with a body',
      `${head('QUERY /things HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 2')}{}`,
      405,
    ],
    ['another method, with an unreadable body', `${head('PUT /things HTTP/1.1', 'Content-Length: 2')}{{`, 405],
    ['a method of another protocol', head('PROPFIND /things HTTP/1.1'), 405],
    ['another media type', `${head('POST /things HTTP/1.1', 'Content-Type: text/plain', 'Content-Length: 2')}hi`, 415],
    ['an invalid media type', `${head('POST /things HTTP/1.1', 'Content-Type: //', 'Content-Length: 2')}hi`, 415],
    ['a body without a media type', `${head('POST /things HTTP/1.1', 'Content-Length: 2')}hi`, 415],
    ['broken JSON', `${head('POST /things HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1')}{`, 400],
    [
      'a length over the limit',
      head('POST /things HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 262145'),
      413,
    ],
    [
      'chunks over the limit',
      `${head('POST /things HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}40001\r\n${'1'.repeat(262_145)}\r\n0\r\n\r\n`,
      413,
    ],
    ['an internal error', head('GET /broken HTTP/1.1'), 500],
  ])('%s', async (_what, text, status) => {
    const answer = await send(text)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const requestId = answer.headers.get('svc-request-id')
    expect(requestId).toMatch(UUID)
    const body = JSON.parse(answer.body)
    expect(body).toMatchObject({ svcRequestId: requestId, message: expect.stringMatching(/\S/) })
    expect(checkErrorShape(undefined, { status, headers: new Headers([...answer.headers]) }, body)).toEqual([])
    expect(answer.body).not.toMatch(INNARDS)
    expect(Object.fromEntries(answer.headers)).toMatchObject(PROTECTION)
  })
})

test.each([
  ['a byte too much, the end of a text in C for example', '\0'],
  [
    'another request with broken chunks',
    'POST /things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk',
  ],
  ['a tunnel', 'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
])('a request gets its own response, although it is followed by %s', async (_what, text) => {
  inFlight = Promise.withResolvers()
  held = Promise.withResolvers()
  const received = exchange(`GET /held HTTP/1.1\r\nHost: x\r\n\r\n${text}`)
  await inFlight.promise
  // The broken part has been read by then.
  await server.inject({ url: '/things/1' })
  held.resolve('done')
  expect((await received).match(/HTTP\/1\.1 \d{3}|done/g)).toEqual(['HTTP/1.1 200', 'done', 'HTTP/1.1 400'])
})

describe('a path under another method', () => {
  test.each([
    ['PUT', '/things', 'POST'],
    ['POST', '/things/1', 'GET, HEAD'],
    ['OPTIONS', '/things/1?colour=blue', 'GET, HEAD'],
    ['GET', '/things/sorted', 'POST'],
    ['HEAD', '/things/sorted?colour=blue', 'POST'],
    ['DELETE', '/things/sorted', 'POST'],
    ['POST', '/files/a/b', 'GET, HEAD'],
  ])('%s %s returns 405, and Allow contains %s', async (method, url, allow) => {
    const answer = await server.inject({ method: method as 'PUT', url })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe(allow)
  })
})

describe('a valid request', () => {
  const CHUNKED = ['POST /things HTTP/1.1', 'Transfer-Encoding: chunked'] as const
  test.each([
    ['of another media type', head('POST /things HTTP/1.1', 'Content-Type: text/plain', 'Content-Length: 0'), 200],
    ['in chunks', `${head(...CHUNKED)}0\r\n\r\n`, 200],
    ['in chunks of another media type', `${head(...CHUNKED, 'Content-Type: image/png')}0\r\n\r\n`, 200],
    ['in chunks, with a byte in it, which is rejected', `${head(...CHUNKED)}1\r\nx\r\n0\r\n\r\n`, 415],
    ['in chunks, with bytes that do not end, which is rejected', `${head(...CHUNKED)}1\r\nx\r\n`, 415],
  ])('may have an empty body %s', async (_what, text, status) => {
    expect((await send(text)).status).toBe(status)
  })

  test('has a response that must not be stored, interpreted as another media type, or fetched without TLS', async () => {
    expect((await server.inject({ url: '/things/1' })).headers).toMatchObject(PROTECTION)
  })

  test('has an id of its own in the response, whatever it sends', async () => {
    const claimed = '01a207a2-0000-7000-8000-000000000000'
    const ask = () => server.inject({ url: '/things/1', headers: { 'svc-request-id': claimed, 'request-id': claimed } })
    const ids = [await ask(), await ask()].map(({ headers }) => headers['svc-request-id'])
    expect(new Set([...ids, claimed]).size).toBe(3)
  })

  test('of exactly the limit is read', async () => {
    const payload = `"${'x'.repeat(256 * 1024 - 2)}"`
    const answer = await server.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    expect(answer.statusCode).toBe(200)
  })

  test.each([
    ['64 levels deep is parsed', 64, 200],
    ['65 levels deep is rejected', 65, 400],
    ['100 000 levels deep is rejected', 100_000, 400],
  ])('%s', async (_what, levels, status) => {
    const payload = `${'['.repeat(levels)}${']'.repeat(levels)}`
    const answer = await server.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    expect(answer.statusCode).toBe(status)
  })

  test('may declare that its body is not encoded', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'Identity' }
    const answer = await server.inject({ method: 'POST', url: '/things', headers, payload: '1' })
    expect(answer.json()).toEqual({ body: 1 })
  })

  test('may have an empty body with the type of JSON', async () => {
    const answer = await server.inject({
      method: 'POST',
      url: '/things',
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.json()).toEqual({})
  })
})

test('log and metrics contain the route, never the path with its values', async () => {
  await server.inject({ url: '/things/personal-number?token=of-mine' })
  await server.inject({ url: '/nothing/personal-number' })
  expect(observed.at(-2)).toMatchObject({ method: 'GET', route: '/things/:id', status: 200 })
  expect(observed.at(-1)).toMatchObject({ route: 'unknown', status: 404 })
  expect(lines.join('')).not.toMatch(/personal-number|of-mine/)
})

test('the log has a line for each response that was sent, and for those whose clients have left', async () => {
  const lineOf = (id: string | undefined) => JSON.parse(lines.find((line) => line.includes(id ?? '?')) ?? '{}')
  for (const [text, line] of [
    [head('GET /things/%zz HTTP/1.1'), { msg: 'answered', method: 'GET', route: 'unknown', status: 404 }],
    [head('GET /things/1 HTTP/1.1', 'Host: y'), { msg: 'answered', route: '/things/:id', status: 400 }],
    ['good day\r\n\r\n', { msg: 'a malformed request was answered', status: 400, address: '127.0.0.0/24' }],
  ] as const) {
    expect(lineOf((await send(text)).headers.get('svc-request-id'))).toMatchObject(line)
  }
  inFlight = Promise.withResolvers()
  held = Promise.withResolvers()
  const socket = connect(port, '127.0.0.1', () => socket.write(head('GET /held HTTP/1.1')))
  const connections = async () => new Promise((resolve) => server.server.getConnections((_, count) => resolve(count)))
  await inFlight.promise
  socket.destroy()
  await expect.poll(connections).toBe(0)
  held.resolve('done')
  await expect.poll(() => observed.at(-1)).toMatchObject({ route: '/held', status: 200, isCut: false })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'answered', route: '/held', disconnected: true })
  expect(lines.filter((line) => line.includes('"/held"') && line.includes('disconnected'))).toHaveLength(1)
  const reader = connect(port, '127.0.0.1', () => reader.write(head('GET /endless HTTP/1.1')))
  await once(reader, 'data')
  reader.destroy()
  await expect.poll(() => observed.at(-1)).toMatchObject({ route: '/endless', status: 200, isCut: true })
})

test.each(['application/json', 'image/png'])(
  'a client that leaves within a body of %s is no error of ours',
  async (type) => {
    const [before, arrived] = [observed.length, once(server.server, 'request')]
    const text = head('POST /things HTTP/1.1', `Content-Type: ${type}`, 'Transfer-Encoding: chunked')
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    await arrived
    socket.destroy()
    await expect.poll(() => observed.slice(before)).toMatchObject([{ route: '/things', status: 400 }])
  },
)

test('an error of ours is in the log under the request id that the partner got', async () => {
  const answer = await server.inject({ url: '/broken' })
  const line = lines.find(
    (text) => text.includes(String(answer.headers['svc-request-id'])) && text.includes('internal error'),
  )
  expect(line).toContain('secret detail')
})

test.each([
  [0, '127.0.0.1'],
  [1, '203.0.113.9'],
  [2, '198.51.100.7'],
  [3, '2001:db8::7'],
])(
  'behind %i proxies of our own the address is %s: addresses that the sender added are ignored, and ports of proxies',
  async (trustProxy, address) => {
    const behind = openServer({
      log: openLog({ program: 'test', level: 'silent' }),
      baseUrl: 'http://gateway.example',
      trustProxy,
    })
    behind.get('/address', async ({ ip }) => ip)
    const headers = { 'x-forwarded-for': '192.0.2.1, [2001:db8::7]:443, 198.51.100.7:4711,203.0.113.9' }
    expect((await behind.inject({ url: '/address', headers })).body).toBe(address)
    await behind.close()
  },
)
