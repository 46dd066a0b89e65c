/** A proxy in front of a gateway that changes requests, responses and webhook deliveries, as a broken server would. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request or a webhook delivery. Names of headers are in small letters. */
export type Sent = { method: string; path: string; headers: Record<string, string>; body: string }
export type Received = { status: number; headers: Record<string, string>; body: string }

/** How a broken server differs. What is absent is as at the gateway. */
export type Mutation = {
  readonly id: string
  /** What the broken server does. */
  readonly fault: string
  /** Checks that find it, some of several. */
  readonly foundBy: readonly string[]
  /** Changes a request; `forward` sends another one to the gateway. */
  readonly request?: (sent: Sent, forward: Forward) => void | Promise<void>
  /** Changes a response. */
  readonly response?: (received: Received, sent: Sent, forward: Forward) => void | Promise<void>
  /** The deliveries that are made in place of one; `secret` is that of its subscription. */
  readonly delivery?: (delivery: Sent, secret: string, state: Map<string, Sent>) => readonly Sent[]
}

export type Forward = (sent: Sent) => Promise<Received>

export type MutatingProxy = {
  readonly url: string
  close(): Promise<void>
}

const SUBSCRIPTIONS = '/api/webhooks/subscription'
const DELIVERIES = '/deliveries-to/'
/** Headers of one connection. */
const HOP_BY_HOP = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'date']

/** Starts it on a free port. */
export async function startMutatingProxy(gatewayUrl: string, mutation: Mutation): Promise<MutatingProxy> {
  const forward: Forward = (sent) => forwardTo(gatewayUrl, sent)
  const targets = new Map<string, { readonly url: string; secret: string }>()
  const delivered = new Map<string, Sent>()
  const server = createServer((request, response) => {
    answer(request)
      .then((received) => response.writeHead(received.status, received.headers).end(received.body))
      .catch((error: unknown) => fail(response, error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage): Promise<Received> {
    const sent = await readRequest(request)
    if (sent.path.startsWith(DELIVERIES)) {
      return await deliver(sent)
    }
    const target = redirectDeliveries(sent)
    await mutation.request?.(sent, forward)
    const received = await forward(sent)
    restoreTarget(received, sent, target)
    await mutation.response?.(received, sent, forward)
    return received
  }

  /** Deliveries pass the proxy, too: a subscription has a URL of the proxy, and shows the partner's. */
  function redirectDeliveries(sent: Sent): string | undefined {
    const isCreation = sent.method === 'POST' && sent.path === SUBSCRIPTIONS
    const targetUrl = isCreation && mutation.delivery !== undefined ? jsonOf(sent.body)['targetUrl'] : undefined
    if (typeof targetUrl !== 'string' || !targetUrl.startsWith('http://127.0.0.1')) {
      return undefined
    }
    const id = String(targets.size)
    targets.set(id, { url: targetUrl, secret: '' })
    sent.body = JSON.stringify({ ...jsonOf(sent.body), targetUrl: `${url}${DELIVERIES}${id}` })
    return id
  }

  function restoreTarget(received: Received, sent: Sent, id: string | undefined): void {
    const created = id === undefined ? undefined : targets.get(id)
    if (created !== undefined) {
      created.secret = String(jsonOf(received.body)['signingSecret'])
    }
    if (sent.path.startsWith(SUBSCRIPTIONS)) {
      for (const [each, target] of targets) {
        received.body = received.body.replaceAll(`"${url}${DELIVERIES}${each}"`, `"${target.url}"`)
      }
    }
  }

  async function deliver(sent: Sent): Promise<Received> {
    const target = targets.get(sent.path.slice(DELIVERIES.length))
    if (target === undefined) {
      throw new Error(`No subscription delivers to ${sent.path}`)
    }
    let last: Received = { status: 204, headers: {}, body: '' }
    for (const delivery of mutation.delivery?.(sent, target.secret, delivered) ?? []) {
      last = await forwardTo('', { ...delivery, path: target.url })
    }
    return last
  }
}

/** The parsed body; an empty object if it is no JSON. */
export function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

async function forwardTo(base: string, { method, path, headers, body }: Sent): Promise<Received> {
  const hasBody = !['GET', 'HEAD'].includes(method) && body !== ''
  const response = await fetch(`${base}${path}`, { method, headers, redirect: 'manual', ...(hasBody ? { body } : {}) })
  return {
    status: response.status,
    headers: withoutHopByHop(Object.fromEntries(response.headers), true),
    body: await response.text(),
  }
}

async function readRequest(request: IncomingMessage): Promise<Sent> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) {
    parts.push(part)
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: withoutHopByHop(headers, false),
    body: Buffer.concat(parts).toString(),
  }
}

/** The body has been decoded. */
function withoutHopByHop(headers: Record<string, string>, isResponse: boolean): Record<string, string> {
  const removed = isResponse ? [...HOP_BY_HOP, 'content-encoding'] : HOP_BY_HOP
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !removed.includes(name)))
}

function fail(response: ServerResponse, error: unknown): void {
  response.writeHead(502).end(error instanceof Error ? error.stack : String(error))
}
