/** Tests that broken, silent and unread connections end, and that a shutdown waits for none of them. */
import dns from 'node:dns'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openLog } from '../observability/log.ts'
import {
  type ConnectionSettings,
  descriptorsMax,
  type ExceededLimit,
  limitsWithinDescriptors,
} from './client-limits.ts'
import { listenAt, openServer } from './server.ts'

const SEVERAL = 5
const LONG = 'x'.repeat(16 * 1024 * 1024)
const NO_LIMIT = { max: 1_000, maxPerAddress: 1_000 }
const REQUEST = 'GET /short HTTP/1.1\r\nHost: x\r\n\r\n'

type LookUpEnded = (error: null, found: readonly dns.LookupAddress[]) => void

const sockets: Socket[] = []
let server: FastifyInstance
let inFlight: PromiseWithResolvers<void>
let answer: PromiseWithResolvers<string>
afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.destroy()
  }
  await server.close()
})

async function listen(connections: ConnectionSettings & { headersTimeoutMilliseconds?: number }): Promise<void> {
  inFlight = Promise.withResolvers()
  answer = Promise.withResolvers()
  server = openServer({
    log: openLog({ program: 'test', level: 'silent' }),
    baseUrl: 'http://gateway.example',
    trustProxy: 0,
    connections,
  })
  server.get('/short', async () => 'short')
  server.get('/long', async () => LONG)
  server.get('/held', () => {
    inFlight.resolve()
    return answer.promise
  })
  server.post('/short', async () => 'short')
  await server.listen({ host: '127.0.0.1', port: 0 })
}

/** A client that never closes its connection. */
async function open(text: string): Promise<Socket> {
  const port = Number(new URL(server.listeningOrigin).port)
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

async function openConnections(): Promise<number> {
  return await new Promise((resolve, reject) =>
    server.server.getConnections((error, number) => (error === null ? resolve(number) : reject(error))),
  )
}

test('connections that sent garbage, part of a request or nothing are destroyed, although their clients do not close them', async () => {
  await listen({ ...NO_LIMIT, headersTimeoutMilliseconds: 10 })
  const sent = [
    'hello',
    '\x16\x03\x01\x02\x00',
    'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`,
    'GET /',
    'POST /short HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk',
    '',
  ]
  for (const text of sent) {
    await Promise.all(Array.from({ length: SEVERAL }, () => open(text)))
  }
  await expect.poll(openConnections).toBe(0)
})

test('a request that is not complete in time gets 408', async () => {
  await listen({ ...NO_LIMIT, headersTimeoutMilliseconds: 10 })
  const socket = await open('GET /')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 .*"svcRequestId":"[0-9a-f-]{36}"/s)
})

test('a response that its client does not read is not held for ever', async () => {
  await listen({ ...NO_LIMIT, unreadMillisecondsMax: 50 })
  const socket = await open('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  socket.pause()
  await expect.poll(openConnections).toBe(0)
})

test('localhost is one listener, whatever addresses it resolves to: those that Fastify adds have no limits', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const lookup = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((name: string, _options: unknown, done: LookUpEnded) =>
      done(null, name === 'localhost' ? addresses : [{ address: name, family: 4 }])) as typeof dns.lookup)
  server = openServer({
    log: openLog({ program: 'test', level: 'silent' }),
    baseUrl: 'http://gateway.example',
    trustProxy: 0,
    connections: NO_LIMIT,
  })
  expect(await listenAt(server, { host: 'localhost', port: 0 })).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect(server.addresses()).toHaveLength(1)
  lookup.mockRestore()
})

describe('a shutdown', () => {
  test('destroys at once connections without a complete request, and waits for those with one', async () => {
    await listen(NO_LIMIT)
    await Promise.all(['', 'GET /', REQUEST].map(open))
    const [held] = await Promise.all([open('GET /held HTTP/1.1\r\nHost: x\r\n\r\n'), inFlight.promise])
    const stopped = server.close()
    await expect.poll(openConnections).toBe(1)
    answer.resolve('held')
    expect(String(await once(held, 'data'))).toContain('200 OK')
    await stopped
  })

  test('has an upper bound, whatever is in flight', async () => {
    await listen({ ...NO_LIMIT, stopMillisecondsMax: 10 })
    await open('GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
    await open('POST /short HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
    await inFlight.promise
    await server.close()
    expect(await openConnections()).toBe(0)
  })
})

describe('more connections than the limit', () => {
  test.each<[ExceededLimit, ConnectionSettings]>([
    ['total', { max: SEVERAL, maxPerAddress: 1_000 }],
    ['address', { max: 1_000, maxPerAddress: SEVERAL }],
  ])(
    'are rejected by the limit of %s; existing ones continue, and new ones are accepted later',
    async (limit, limits) => {
      const rejected: ExceededLimit[] = []
      await listen({ ...limits, onRejected: (exceeded) => rejected.push(exceeded) })
      const accepted = await Promise.all(Array.from({ length: SEVERAL }, () => open('')))
      await open(REQUEST)
      await expect.poll(() => rejected).toEqual([limit])
      const [first] = accepted
      first?.write(REQUEST)
      expect(String(await once(first ?? expect.fail(), 'data'))).toContain('200 OK')
      first?.destroy()
      await expect.poll(openConnections).toBe(SEVERAL - 1)
      expect(String(await once(await open(REQUEST), 'data'))).toContain('200 OK')
    },
  )

  test('leave the process file descriptors for other work', () => {
    const limits = { max: 2_000, maxPerAddress: 500 }
    expect(limitsWithinDescriptors(limits, Number.POSITIVE_INFINITY)).toEqual(limits)
    expect(limitsWithinDescriptors(limits, 4_096)).toEqual(limits)
    expect(limitsWithinDescriptors(limits, 256)).toEqual({ max: 128, maxPerAddress: 64 })
    expect(limitsWithinDescriptors(limits, 64)).toEqual({ max: 16, maxPerAddress: 8 })
    expect(limitsWithinDescriptors({ max: 100, maxPerAddress: 90 }, 256)).toEqual({ max: 100, maxPerAddress: 90 })
    expect(descriptorsMax()).toBeGreaterThan(0)
  })
})
