/** Plays partners' endpoints: real HTTPS servers that keep what arrives, judge signatures on their own, and misbehave on demand. */
import { createHmac } from 'node:crypto'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { type Identity, makeTestAuthority, type TestAuthority, THIS_MACHINE } from './webhook-receiver-certificates.ts'

/** A delivery as it came. */
export type Received = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Byte for byte. */
  readonly body: Buffer
  /** Wall time in milliseconds since 1970. */
  readonly at: number
}

/** Answers a delivery; whatever it leaves open stays open. */
export type Behaviour = (response: ServerResponse, received: Received, socket: Socket) => void

export type WebhookReceiver = {
  /** `https://127.0.0.1:…`, one per origin asked for. */
  readonly origins: readonly string[]
  readonly origin: string
  /** PEM of the authority that signed its certificate. */
  readonly authority: string
  /** Every delivery, in order of arrival. */
  readonly received: readonly Received[]
  /** Connections that were ever opened, whatever came of them. */
  connections(): number
  /** How deliveries are answered from now on; 204 at first. Given an origin, only there. */
  behave(behaviour: Behaviour, origin?: string): void
  close(): Promise<void>
}

export type ReceiverOptions = {
  readonly origins?: number
  readonly identity?: (authority: TestAuthority) => Promise<Identity>
  readonly plainHttp?: boolean
  /** Called instead of keeping deliveries, where there are too many to keep. */
  readonly onReceived?: (received: Received) => void
}

const accept: Behaviour = (response) => response.writeHead(204).end()

/** Opens endpoints on free ports of this machine. */
export async function startWebhookReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const authority = await makeTestAuthority()
  const identity = await (options.identity ?? ((signer) => signer.issue(THIS_MACHINE)))(authority)
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const behaviours = new Map<string, Behaviour>()
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
 * Whether a delivery was signed with a secret, judged from the bytes that came and the interface's words alone: the
 * keyed hash of timestamp, dot and body, in hexadecimal behind `v1=`.
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
