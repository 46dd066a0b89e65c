/** Receives webhook deliveries: an HTTP server of the run, whose responses checks choose. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery as it was received. */
export type ReceivedDelivery = {
  readonly path: string
  /** By name in small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact body. */
  readonly body: string
}

export type WebhookReceiver = {
  /** Without a slash at the end. */
  readonly url: string
  readonly received: readonly ReceivedDelivery[]
  /** Sets the response to deliveries at a path; 204 unless it is set. */
  respond(path: string, status: number, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

const NO_CONTENT = 204
const BODY_BYTES_MAX = 1_000_000

/** Listens on loopback, or on all addresses for a `publicUrl` that leads here; on a free port unless one is given. */
export async function openReceiver(publicUrl: string | undefined, port: number | undefined): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = []
  const responses = new Map<string, readonly [status: number, headers: Readonly<Record<string, string>>]>()
  const base = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = (request.url ?? '').slice(base.length)
      received.push({ path, headers: headersOf(request), body })
      const [status, headers] = responses.get(path) ?? [NO_CONTENT, {}]
      response.writeHead(status, headers).end()
    })
  })
  server.listen(port ?? 0, publicUrl === undefined ? '127.0.0.1' : undefined)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    url: publicUrl ?? `http://127.0.0.1:${address.port}`,
    received,
    respond: (path, status, headers = {}) => void responses.set(path, [status, headers]),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= BODY_BYTES_MAX) {
      parts.push(part)
    }
  }
  return Buffer.concat(parts).toString()
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
