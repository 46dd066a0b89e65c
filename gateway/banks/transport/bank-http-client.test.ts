/** Shows the limits of calls to banks, and that errors state whether the bank may have received the request. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../testing/gateway/eventually.ts'
import { UNKNOWN_HOST } from '../../testing/unknown-host.ts'
import { BankUnreachable } from '../connector/bank-error.ts'
import type { BankRequest } from '../connector/connector-dependencies.ts'
import { sampleBank } from '../testing/samples.ts'
import type { BankCallLimits } from './bank-call-limits.ts'
import { type BankCall, openBankHttpClient } from './bank-http-client.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) {
    await close()
  }
})

describe('bank fetch', () => {
  test('returns any response completely, headers in lower case, and counts it', async () => {
    const { ask, calls } = await bankAt((request, response) => {
      response.writeHead(404, { 'X-Thing': 'a', 'Set-Cookie': ['b', 'c'] }).end(`${request.method} ${request.url}`)
    })
    const answer = await ask({ method: 'DELETE', path: '/v1/x?y=1' })
    expect(answer).toMatchObject({ status: 404, body: 'DELETE /v1/x?y=1' })
    expect(answer.headers).toMatchObject({ 'x-thing': 'a', 'set-cookie': 'b, c' })
    const call = { bank: 'FJORNO22', operation: 'probe', requestId: 'r-1', milliseconds: expect.any(Number) }
    expect(calls).toEqual([{ ...call, status: 404, outcome: 'answered' }])
  })

  test('counts server errors, throttling and timeouts as failures, and rejections as answers', async () => {
    const { ask, calls } = await bankAt((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end()
    })
    for (const status of [201, 400, 429, 408, 503]) {
      await ask({ path: `/${status}` })
    }
    await expect(ask({ url: `http://${UNKNOWN_HOST}/` })).rejects.toThrow()
    const outcomes = ['answered', 'answered', 'failed', 'failed', 'failed', 'failed']
    expect(calls.map(({ outcome }) => outcome)).toEqual(outcomes)
  })

  test('sends the body as it is, and its length, and requests an answer that is not compressed', async () => {
    const { ask } = await bankAt(async (request, response) => {
      const parts = await Array.fromAsync(request)
      const { 'content-length': length, 'accept-encoding': encoding } = request.headers
      response.end(`${encoding} ${length} ${Buffer.concat(parts).toString()}`)
    })
    expect((await ask({ method: 'POST', body: '{"a":"ø"}' })).body).toBe('identity 10 {"a":"ø"}')
  })

  test('reads an answer that is compressed nevertheless, up to the limit of its size', async () => {
    const text = JSON.stringify({ name: 'Bjørn', padding: ' '.repeat(5_000) })
    const bodyByPath = new Map<string | undefined, readonly [coding: string, body: Buffer]>([
      ['/gzip', ['gzip', gzipSync(text)]],
      ['/x-gzip', ['X-GZIP', gzipSync(text)]],
      ['/deflate', ['deflate', deflateSync(text)]],
      ['/br', ['br', brotliCompressSync(text)]],
      ['/identity', ['identity', Buffer.from(text)]],
      ['/long', ['gzip', gzipSync(Buffer.alloc(20_000))]],
      ['/cut', ['gzip', gzipSync(text).subarray(0, -9)]],
    ])
    const { ask, calls } = await bankAt(
      ({ url }, response) => {
        const [coding, body] = bodyByPath.get(url) ?? ['gzip', undefined]
        response.writeHead(body === undefined ? 204 : 201, { 'content-encoding': coding }).end(body)
      },
      { responseBytesMax: 10_000 },
    )
    for (const path of ['/gzip', '/x-gzip', '/deflate', '/br', '/identity']) {
      expect(await ask({ method: 'POST', path }), path).toMatchObject({ status: 201, body: text })
    }
    expect(await ask({ path: '/empty' })).toMatchObject({ status: 204, body: '' })
    for (const path of ['/long', '/cut']) {
      await expect(ask({ method: 'POST', path }), path).rejects.toMatchObject({ name: 'BankUnreachable', sent: true })
    }
    expect(calls.map(({ outcome }) => outcome)).toEqual([...Array(6).fill('answered'), 'failed', 'failed'])
  })

  test('reuses connections', async () => {
    const ports = new Set<number | undefined>()
    const { ask } = await bankAt((request, response) => {
      ports.add(request.socket.remotePort)
      response.end()
    })
    for (let call = 0; call < 10; call += 1) {
      await ask({})
    }
    // The next call may start before the last connection is free again.
    expect(ports.size).toBeLessThanOrEqual(2)
  })

  test('follows no redirect', async () => {
    const { ask } = await bankAt((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect((await ask({ method: 'POST' })).status).toBe(307)
  })

  test('reports that a bank behind a closed port received nothing', async () => {
    const { ask, calls, server } = await bankAt((_request, response) => void response.end())
    await closed(server)
    await expect(ask({ method: 'POST' })).rejects.toMatchObject({ name: 'BankUnreachable', sent: false })
    expect(calls).toMatchObject([{ sent: false, error: expect.stringContaining('ECONNREFUSED') }])
  })

  test('reports that a bank whose name is unknown received nothing', async () => {
    const { ask } = await bankAt((_request, response) => void response.end())
    await expect(ask({ url: `http://${UNKNOWN_HOST}/v1` })).rejects.toMatchObject({ sent: false })
  })

  test('reports that a bank that fails the TLS handshake received nothing', async () => {
    const { ask, address } = await bankAt((_request, response) => void response.end())
    await expect(ask({ url: `${address.replace('http', 'https')}/v1` })).rejects.toMatchObject({ sent: false })
  })

  test('cannot determine whether a bank that drops the connection received the request', async () => {
    const { ask, calls } = await bankAt((request) => void request.socket.destroy())
    await expect(ask({ method: 'POST' })).rejects.toMatchObject({ name: 'BankUnreachable', sent: true })
    expect(calls).toMatchObject([{ sent: true }])
  })

  test('sends a request only once, whatever happens to it', async () => {
    let received = 0
    const { ask } = await bankAt((request) => {
      received += 1
      request.socket.destroy()
    })
    await expect(ask({ method: 'GET' })).rejects.toBeInstanceOf(BankUnreachable)
    expect(received).toBe(1)
  })

  test('times out on a bank that never responds', async () => {
    const { ask } = await bankAt(() => undefined, { callMilliseconds: 400 })
    await expect(ask({ method: 'POST' })).rejects.toMatchObject({ sent: true })
  })

  test('times out on a response that drips', async () => {
    const { ask } = await bankAt(
      (_request, response) => {
        const drip = setInterval(() => response.write(' '), 5)
        response.on('close', () => clearInterval(drip))
      },
      { callMilliseconds: 400 },
    )
    await expect(ask({})).rejects.toMatchObject({ sent: true })
  })

  test('fails on a response that is cut short', async () => {
    const { ask } = await bankAt((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"paymentId":', () => response.destroy())
    })
    await expect(ask({ method: 'POST' })).rejects.toMatchObject({ sent: true })
  })

  test('fails on a response over the limit', async () => {
    const { ask } = await bankAt((_request, response) => void response.end('x'.repeat(2_000)), {
      responseBytesMax: 1_000,
    })
    await expect(ask({})).rejects.toMatchObject({
      sent: true,
      cause: { message: expect.stringContaining('size limit') },
    })
  })

  test('reports a request with header values that cannot be sent as not sent', async () => {
    const { ask } = await bankAt((_request, response) => void response.end())
    await expect(ask({ headers: { 'psu-id': 'a\r\nb' } })).rejects.toMatchObject({ sent: false })
  })

  test('ignores proxy variables', async () => {
    const proxied: Socket[] = []
    const proxy = createSocketServer((socket) => void proxied.push(socket))
    const proxyPort = await listening(proxy)
    closers.push(() => closed(proxy))
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxyPort}`)
    vi.stubEnv('http_proxy', `http://127.0.0.1:${proxyPort}`)
    closers.push(async () => vi.unstubAllEnvs())
    const { ask } = await bankAt((_request, response) => void response.end('bank'))
    expect((await ask({})).body).toBe('bank')
    expect(proxied).toEqual([])
  })
})

describe('concurrent calls to one bank', () => {
  test('do not affect other banks', async () => {
    const { ask } = await bankAt(
      (request, response) => {
        if (request.url === '/quick') {
          response.end('quick')
        }
      },
      { callsPerBankMax: 1, callMilliseconds: 200 },
    )
    const stuck = expect(ask({ path: '/stuck' })).rejects.toMatchObject({ sent: true })
    expect((await ask({ path: '/quick', bic: 'OTHRNO22' })).body).toBe('quick')
    await stuck
  })

  test('free their slots when they fail', async () => {
    const { ask } = await bankAt(
      (request, response) => {
        if (request.url === '/drop') {
          request.socket.destroy()
        } else {
          response.end('fine')
        }
      },
      { callsPerBankMax: 1 },
    )
    await expect(ask({ path: '/drop' })).rejects.toBeInstanceOf(BankUnreachable)
    expect((await ask({ path: '/fine' })).body).toBe('fine')
  })
})

describe('calls that are rejected here', () => {
  test('do not count for the bank: it was not called', async () => {
    const answers: (() => void)[] = []
    const { ask, calls } = await bankAt((_request, response) => void answers.push(() => response.end('late')), {
      callsPerBankMax: 1,
      queuePerBankMax: 0,
    })
    const first = ask({})
    await eventually(() => expect(answers).toHaveLength(1))
    await expect(ask({})).rejects.toMatchObject({ sent: false })
    expect(calls).toEqual([])
    answers[0]?.()
    await first
    expect(calls).toHaveLength(1)
  })
})

type Probe = Partial<Pick<BankRequest, 'method' | 'headers' | 'body' | 'url'>> & { path?: string; bic?: string }

async function bankAt(listener: RequestListener, limits: Partial<BankCallLimits> = {}) {
  const server = createServer(listener)
  const address = `http://127.0.0.1:${await listening(server)}`
  const calls: BankCall[] = []
  const opened = openBankHttpClient({ observer: (call) => void calls.push(call), limits })
  closers.push(
    () => closed(server),
    () => opened.close(),
  )
  const ask = ({ path = '/', bic = 'FJORNO22', method = 'GET', url, headers, body }: Probe) =>
    opened.fetch(sampleBank({ bic, address }), {
      operation: 'probe',
      method,
      url: url ?? `${address}${path}`,
      headers: { 'x-request-id': 'r-1', ...headers },
      ...(body === undefined ? {} : { body }),
    })
  return { ask, address, calls, server }
}

async function listening(
  server: { listen(port: number, host: string): unknown; address(): unknown } & NodeJS.EventEmitter,
) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null && 'port' in address ? Number(address.port) : 0
}

async function closed(server: { close(done: () => void): unknown } & Partial<Pick<Server, 'closeAllConnections'>>) {
  const done = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections?.()
  await done
}
