/** Tests that a streamed response never looks complete when it is not, and never outruns its reader. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLog } from '../../observability/log.ts'
import { openServer } from '../server.ts'
import { awaitFirstChunk, CallerStalled, sendStreamed } from './streamed-response.ts'

const PIECE = `${'x'.repeat(64 * 1024 - 1)}\n`
/** More than the kernel holds for both ends of a connection. */
const MANY = 2_000

let server: FastifyInstance
let port: number
let made: number
let ended: PromiseWithResolvers<void>
let broken: unknown[]
let stalledMillisecondsMax: number | undefined
let pieces: () => AsyncIterable<string>
beforeAll(async () => {
  server = openServer({
    log: openLog({ program: 'test', level: 'silent' }),
    baseUrl: 'http://gateway.example',
    trustProxy: 0,
  })
  server.get('/', async (_request, reply) => {
    const answer = { status: 200, headers: { 'content-type': 'text/plain' }, pieces: await awaitFirstChunk(pieces()) }
    return sendStreamed(reply, answer, (error) => void broken.push(error), stalledMillisecondsMax)
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(server.listeningOrigin).port)
})
afterAll(() => server.close())
beforeEach(() => {
  made = 0
  broken = []
  stalledMillisecondsMax = undefined
  ended = Promise.withResolvers()
})

/** Counts the requested chunks, and records that no more will be read. */
async function* counted(count: number, failAt = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  try {
    for (let n = 0; n < count; n += 1) {
      if (n === failAt) {
        throw new Error('page lost')
      }
      made += 1
      yield PIECE
    }
  } finally {
    ended.resolve()
  }
}

async function ask(version: '1.0' | '1.1'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET / HTTP/${version}\r\nHost: x\r\n\r\n`)
  return socket
}

/** Everything until the connection ends, and whether it was reset. */
async function readAll(socket: Socket): Promise<{ text: string; error: string | undefined }> {
  let text = ''
  socket.on('data', (part) => {
    text += part.toString()
  })
  const error = await new Promise<string | undefined>((resolve) => {
    socket.on('error', (reason: NodeJS.ErrnoException) => resolve(reason.code))
    socket.on('end', () => resolve(undefined))
  })
  return { text, error }
}

describe('a streamed response', () => {
  test('arrives completely, and its connection serves the next request', async () => {
    pieces = () => counted(3)
    for (let n = 0; n < 2; n += 1) {
      const response = await fetch(`http://127.0.0.1:${port}/`)
      expect(await response.text()).toBe(PIECE.repeat(3))
    }
    expect(broken).toEqual([])
  })

  test('that fails before its first chunk is a normal error', async () => {
    pieces = () => counted(3, 0)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ svcRequestId: expect.any(String) })
    expect(broken).toEqual([])
  })

  test.each(['1.0', '1.1'] as const)(
    'that fails after it resets the connection in HTTP/%s: it cannot pass as complete',
    async (version) => {
      pieces = () => counted(3, 2)
      const { text, error } = await readAll(await ask(version))
      expect(error).toBe('ECONNRESET')
      expect(text).not.toMatch(/\r\n0\r\n\r\n$/)
      expect(broken).toEqual([expect.objectContaining({ message: 'page lost' })])
    },
  )

  test('makes fetch fail when it fails', async () => {
    pieces = () => counted(3, 1)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    await expect(response.text()).rejects.toThrow()
  })

  test('waits for a slow reader: no more is produced than fits into the buffers', async () => {
    pieces = () => counted(MANY)
    const socket = await ask('1.1')
    socket.pause()
    let before = -1
    // What fits is produced quickly; a number that is the same in several reads has stopped.
    for (let still = 0; still < 20; ) {
      await new Promise((resolve) => setImmediate(resolve))
      await fetch(`http://127.0.0.1:${port}/nothing`)
      still = made === before ? still + 1 : 0
      before = made
    }
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(MANY / 4)
    socket.destroy()
    await ended.promise
  })

  test('whose reader stops for too long is aborted, as the reader’s error and not as ours', async () => {
    stalledMillisecondsMax = 50
    pieces = () => counted(MANY)
    const socket = await ask('1.1')
    socket.pause()
    await ended.promise
    expect(made).toBeLessThan(MANY)
    expect(broken).toEqual([expect.any(CallerStalled)])
    socket.destroy()
  })

  test('is not produced any further once its reader has gone', async () => {
    pieces = () => counted(MANY)
    const socket = await ask('1.1')
    await once(socket, 'data')
    socket.destroy()
    await ended.promise
    expect(made).toBeLessThan(MANY)
  })
})
