/** Shows that streams have backpressure, close when the reader stops, and report incomplete answers. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../../testing/gateway/eventually.ts'
import { sampleBank } from '../testing/samples.ts'
import type { BankCallLimits } from './bank-call-limits.ts'
import { type BankCall, openBankHttpClient } from './bank-http-client.ts'

const PART = Buffer.alloc(64 * 1024, 'x')

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) {
    await close()
  }
})

describe('a streamed response', () => {
  test('is complete in the end, and counted once, with the time to its first byte', async () => {
    const { stream, calls } = await bankAt(
      (_request, response) => void response.write('one ', () => response.end('two')),
    )
    expect(await textOf((await stream()).parts)).toBe('one two')
    expect(calls).toMatchObject([{ bank: 'FJORNO22', operation: 'probe', status: 200 }])
  })

  test('that is no 200 is returned at once', async () => {
    const { stream } = await bankAt(
      (_request, response) => void response.writeHead(404, { 'X-Thing': 'a' }).end('gone'),
    )
    const answer = await stream()
    expect(answer).toMatchObject({ status: 404, headers: { 'x-thing': 'a' }, body: 'gone' })
    expect(await textOf(answer.parts)).toBe('')
  })

  test('that is compressed, although it was requested not to be, is read as any other', async () => {
    const text = 'one two '.repeat(100_000)
    const body = gzipSync(text)
    const { stream } = await bankAt(({ url }, response) => {
      response.writeHead(url === '/404' ? 404 : 200, { 'content-encoding': 'gzip' })
      response.end(url === '/cut' ? body.subarray(0, -9) : body)
    })
    expect(await textOf((await stream()).parts)).toBe(text)
    expect((await stream('/404')).body).toBe(text)
    await expect(textOf((await stream('/cut')).parts)).rejects.toMatchObject({ name: 'BankUnreachable', sent: true })
  })

  test('is paused at the bank while its reader does not read', async () => {
    let written = 0
    const { stream } = await bankAt((_request, response) => {
      const write = () => {
        while (written < 200 && response.write(PART)) {
          written += 1
        }
        written += 1
        return written >= 200 ? response.end() : response.once('drain', write)
      }
      write()
    })
    const { parts } = await stream()
    const before = await settled(() => written)
    // Buffers and sockets of both sides hold far less than its 12 MB.
    expect(before).toBeLessThan(150)
    expect((await textOf(parts)).length).toBeGreaterThan(190 * PART.length)
  })

  test('is closed at the bank when its reader stops', async () => {
    const closed = Promise.withResolvers<void>()
    const { stream, calls } = await bankAt((request, response) => {
      request.socket.once('close', () => closed.resolve())
      response.write(PART)
    })
    for await (const part of (await stream()).parts) {
      expect(part.length).toBeGreaterThan(0)
      break
    }
    await closed.promise
    await eventually(() => expect(calls).toMatchObject([{ status: 200 }]))
  })

  test('that breaks off fails its reader, and counts as a failure', async () => {
    const { stream, calls } = await bankAt((_request, response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('half', () => response.destroy())
    })
    await expect(textOf((await stream()).parts)).rejects.toMatchObject({ name: 'BankUnreachable', sent: true })
    expect(calls).toMatchObject([{ sent: true, error: expect.any(String) }])
  })

  test.each<[string, Partial<BankCallLimits>]>([
    ['is larger than any report', { streamBytesMax: 100_000 }],
    ['takes too long', { streamMilliseconds: 300 }],
  ])('that %s is aborted', async (_what, limits) => {
    const { stream } = await bankAt((_request, response) => {
      const drip = setInterval(() => response.write(PART), 20)
      response.once('close', () => clearInterval(drip))
    }, limits)
    await expect(textOf((await stream()).parts)).rejects.toMatchObject({ name: 'BankUnreachable', sent: true })
  })

  test('that is no 200 times out like a call, however it drips', async () => {
    const { stream } = await bankAt(
      (_request, response) => {
        response.writeHead(503)
        const drip = setInterval(() => response.write('x'), 20)
        response.once('close', () => clearInterval(drip))
      },
      { callMilliseconds: 300 },
    )
    await expect(stream()).rejects.toMatchObject({ name: 'BankUnreachable', sent: true })
  })

  test('starts after any informational responses of the bank', async () => {
    const { stream, calls } = await bankAt((_request, response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</style>; rel=preload' }, () => response.end('entries'))
    })
    const answer = await stream()
    expect(answer).toMatchObject({ status: 200, body: '' })
    expect(await textOf(answer.parts)).toBe('entries')
    expect(calls).toMatchObject([{ status: 200 }])
  })

  test('that never starts times out', async () => {
    const { stream, calls } = await bankAt(() => undefined, { callMilliseconds: 300 })
    await expect(stream()).rejects.toMatchObject({ name: 'BankUnreachable', sent: true })
    expect(calls).toHaveLength(1)
  })

  test('of a bank behind a closed port was never requested', async () => {
    const { stream, close } = await bankAt((_request, response) => void response.end())
    await close()
    await expect(stream()).rejects.toMatchObject({ name: 'BankUnreachable', sent: false })
  })
})

describe('streamed responses in progress', () => {
  const halves: RequestListener = ({ url }, response) =>
    void (url === '/v1/call' ? response.end('called') : response.write('half'))

  test('delay no other calls, whose connections they do not use', async () => {
    const { stream, fetch } = await bankAt(halves, { connectionsPerHostMax: 1, callMilliseconds: 1_000 })
    const reading = await stream()
    expect(await fetch()).toMatchObject({ status: 200, body: 'called' })
    await leave(reading.parts)
  })

  test('have a limit per bank, and the next starts when one ends', async () => {
    const { stream, calls } = await bankAt(halves, { streamsPerBankMax: 2, queueMilliseconds: 300 })
    const [first, second] = [await stream(), await stream()]
    await expect(stream()).rejects.toMatchObject({ name: 'BankUnreachable', sent: false })
    const third = stream()
    await leave(first.parts)
    await leave((await third).parts)
    await leave(second.parts)
    await eventually(() => expect(calls).toHaveLength(3))
  })

  test('free their slots when they fail', async () => {
    const { stream } = await bankAt((request) => void request.socket.destroy(), { streamsPerBankMax: 1 })
    await expect(stream()).rejects.toMatchObject({ sent: true })
    await expect(stream()).rejects.toMatchObject({ sent: true })
  })
})

async function leave(parts: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _part of parts) {
    break
  }
}

async function textOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(parts)).toString()
}

/** A number once it has not changed between two reads. */
async function settled(look: () => number): Promise<number> {
  let last = -1
  await eventually(() => {
    const before = last
    last = look()
    expect(last).toBe(before)
  })
  return last
}

async function bankAt(listener: RequestListener, limits: Partial<BankCallLimits> = {}) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const calls: BankCall[] = []
  const opened = openBankHttpClient({ observer: (call) => void calls.push(call), limits })
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  closers.push(close, () => opened.close())
  const probe = { operation: 'probe', method: 'GET', headers: { 'x-request-id': 'r-1' } } as const
  const bank = sampleBank({ address: url })
  return {
    stream: (path = '/v1') => opened.stream(bank, { ...probe, url: `${url}${path}` }),
    fetch: () => opened.fetch(bank, { ...probe, url: `${url}/v1/call` }),
    calls,
    close,
  }
}
