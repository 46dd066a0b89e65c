/** A stub bank that accepts every order: the standard's 201, at once or after a set delay. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

export type StubBank = {
  /** The base URL of its XS2A API. */
  readonly url: string
  /** Sets its response time for orders from now on. */
  takeMilliseconds(milliseconds: number): void
  /** Sets the status that it reports for an order from now on. */
  say(paymentId: string, word: string): void
  /** From now on answers status requests for an order with 500, or not at all. */
  fail(paymentId: string, kind: 'error' | 'silence'): void
  statusCalls(): number
  orders(): number
  /** The actual response time for the order with this message; each can be read once. */
  tookMilliseconds(message: string): number | undefined
  close(): Promise<void>
}

/** Unread response times beyond this number are deleted. */
const TIMES_MAX = 10_000
const MESSAGE = /"remittanceInformationUnstructured":"([^"]*)"/

/** Starts a bank on a free port of loopback. */
export async function startStubBank(): Promise<StubBank> {
  const times = new Map<string, number>()
  let thinking = 0
  let orders = 0
  let statusCalls = 0
  const words = new Map<string, string>()
  const failing = new Map<string, 'error' | 'silence'>()
  const server = createServer(async (request, response) => {
    const began = performance.now()
    const body = await text(request)
    if (request.method !== 'POST') {
      statusCalls += 1
      const paymentId = /([^/]+)\/status$/.exec(request.url ?? '')?.[1] ?? ''
      const failure = failing.get(paymentId)
      if (failure === 'silence') {
        return
      }
      if (failure === 'error') {
        answer(request, response, 500, {})
        return
      }
      answer(request, response, 200, { transactionStatus: words.get(paymentId) ?? 'RCVD' })
      return
    }
    if (thinking > 0) {
      await pause(thinking)
    }
    orders += 1
    answer(request, response, 201, orderTaken(request.url ?? ''))
    if (times.size < TIMES_MAX) {
      times.set(MESSAGE.exec(body)?.[1] ?? '', performance.now() - began)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    takeMilliseconds: (milliseconds) => {
      thinking = milliseconds
      times.clear()
    },
    say: (paymentId, word) => {
      words.set(paymentId, word)
    },
    fail: (paymentId, kind) => {
      failing.set(paymentId, kind)
    },
    statusCalls: () => statusCalls,
    orders: () => orders,
    tookMilliseconds: (message) => {
      const took = times.get(message)
      times.delete(message)
      return took
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function orderTaken(url: string): Readonly<Record<string, unknown>> {
  const paymentId = randomUUID()
  const self = `${url}/${paymentId}`
  return {
    transactionStatus: 'RCVD',
    paymentId,
    _links: {
      self: { href: self },
      status: { href: `${self}/status` },
      startAuthorisation: { href: `${self}/authorisations` },
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': String(request.headers['x-request-id']),
      'aspsp-sca-approach': 'REDIRECT',
    })
    .end(JSON.stringify(body))
}
