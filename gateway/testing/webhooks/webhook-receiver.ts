/** Simulates partners' endpoints: HTTPS servers that record deliveries, verify signatures and fail on demand. */
import { createHmac } from 'node:crypto'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { type Identity, makeTestAuthority, type TestAuthority, THIS_MACHINE } from './webhook-receiver-certificates.ts'

/** A received delivery. */
export type Received = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The raw body. */
  readonly body: Buffer
  /** Wall time in milliseconds since 1970. */
  readonly at: number
}

/** Answers a delivery; a response that it does not end stays open. */
export type ReceiverBehaviour = (response: ServerResponse, received: Received, socket: Socket) => void

export type WebhookReceiver = {
  /** `https://127.0.0.1:…`, one per requested origin. */
  readonly origins: readonly string[]
  readonly origin: string
  /** PEM of the CA of its certificate. */
  readonly authority: string
  /** Every delivery, in order of arrival. */
  readonly received: readonly Received[]
  connections(): number
  /** Sets the answer to deliveries, initially 204; optionally for one origin only. */
  behave(behaviour: ReceiverBehaviour, origin?: string): void
  close(): Promise<void>
}

export type ReceiverOptions = {
  readonly origins?: number
  readonly identity?: (authority: TestAuthority) => Promise<Identity>
  readonly plainHttp?: boolean
  /** Called instead of recording deliveries, for large numbers. */
  readonly onReceived?: (received: Received) => void
}

const accept: ReceiverBehaviour = (response) => response.writeHead(204).end()

/** Starts endpoints on free ports. */
export async function startWebhookReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const authority = await makeTestAuthority()
  const identity = await (options.identity ?? ((signer) => signer.issue(THIS_MACHINE)))(authority)
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const behaviours = new Map<string, ReceiverBehaviour>()
  let connections = 0
  const keep = options.onReceived ?? ((each) => void received.push(each))
  const openServer = async (): Promise<{ origin: string; server: Server }> => {
    const take = (request: IncomingMessage, response: ServerResponse) => {
      whole(request, (each) => {
        keep(each)
        const behaviour = behaviours.get(origin) ?? behaviours.get('') ?? accept
        behaviour(response, each, request.socket)
      })
    }
    const server = options.plainHttp ? createPlainServer(take) : createServer(identity, take)
    server.on('connection', (socket: Socket) => {
      connections += 1
      sockets.add(socket.on('error', () => undefined))
      socket.once('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const origin = `${options.plainHttp ? 'http' : 'https'}://127.0.0.1:${port}`
    return { origin, server }
  }
  const opened = await Promise.all(Array.from({ length: options.origins ?? 1 }, openServer))
  const origins = opened.map(({ origin }) => origin)
  return {
    origins,
    origin: origins[0] ?? '',
    authority: authority.certificate,
    received,
    connections: () => connections,
    behave: (behaviour, origin = '') => void behaviours.set(origin, behaviour),
    close: async () => {
      for (const socket of sockets) {
        socket.destroy()
      }
      await Promise.all(opened.map(({ server }) => new Promise((resolve) => server.close(resolve))))
      await authority.remove()
    },
  }
}

/**
 * Whether a delivery is signed with a secret. Implemented only from the API reference, independently of the SDK: the
 * HMAC of timestamp, dot and body, in hexadecimal after `v1=`.
 */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  const signed = Buffer.concat([Buffer.from(`${headers['x-svc-webhook-timestamp']}.`), body])
  return headers['x-svc-webhook-signature'] === `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`
}

function whole(request: IncomingMessage, take: (received: Received) => void): void {
  const parts: Buffer[] = []
  request.on('error', () => undefined)
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    )
    take({ path: request.url ?? '', headers, body: Buffer.concat(parts), at: Date.now() })
  })
}
