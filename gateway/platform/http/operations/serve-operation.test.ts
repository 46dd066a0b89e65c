/** Tests the error attribution of a response that breaks off: a reader that stops is not our error. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getServerMetadata } from '../../../../contract/token.ts'
import { contextOf } from '../../../testing/gateway/test-context.ts'
import { openLog } from '../../observability/log.ts'
import { openServer } from '../server.ts'
import { createServe } from './serve-operation.ts'

const PIECE = 'x'.repeat(64 * 1024)

let server: FastifyInstance
let pieces: () => AsyncIterable<string>
let broken: PromiseWithResolvers<unknown>
const faults: unknown[] = []
beforeAll(async () => {
  // The operation has no idempotency key.
  const { database, outcomes, seal, digest, clock, log } = contextOf({ database: {} })
  const nobody = async () => expect.fail('Nobody is asked who calls')
  server = openServer({
    log: openLog({ program: 'test', level: 'silent' }),
    baseUrl: 'http://gateway.example',
    trustProxy: 0,
  })
  const serve = createServe<never, never>({
    server,
    baseUrl: 'http://gateway.example',
    gatekeepers: {
      authenticate: nobody,
      requirePermission: nobody,
      requireConsent: nobody,
      translate: (error) => error,
      limitRate: () => undefined,
      limitUnauthenticated: () => undefined,
    },
    idempotency: { pool: database.pool, seal, digest, clock, log, outcomes },
    privatePsuAddressesAllowed: true,
    reportInternalError: ({ error }) => void faults.push(error),
    reportBroken: ({ error }) => broken.resolve(error),
    stalledMillisecondsMax: 50,
  })
  serve(getServerMetadata, { stream: () => pieces() })
  await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

/** Sends a request, and reads no further than the first chunk of the response. */
async function breakOff(made: () => AsyncIterable<string>): Promise<unknown> {
  faults.length = 0
  broken = Promise.withResolvers()
  pieces = made
  const socket = connect(Number(new URL(server.listeningOrigin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(`GET ${getServerMetadata.path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  const error = await broken.promise
  socket.destroy()
  return error
}

describe('a response that breaks off', () => {
  test('because its reader stops is logged, and is no error of ours', async () => {
    const error = await breakOff(async function* () {
      for (let n = 0; n < 10_000; n += 1) {
        yield PIECE
      }
    })
    expect(error).toMatchObject({ name: 'CallerStalled' })
    expect(faults).toEqual([])
  })

  test('because it cannot be produced is an error of ours', async () => {
    const error = await breakOff(async function* () {
      yield PIECE
      throw new Error('bug')
    })
    expect(error).toMatchObject({ message: 'bug' })
    expect(faults).toEqual([error])
  })
})
