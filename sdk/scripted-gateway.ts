/** Simulates the gateway in tests: a real HTTP server with tokens, scripted responses and recorded requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A recorded request. */
export type Received = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A response: a status, a JSON body or a text, and headers. */
export type Scripted = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }

export type Script = (request: Received) => Scripted | Promise<Scripted>

export type ScriptedGateway = {
  readonly url: string
  /** Token requests, and all other requests. */
  readonly tokenRequests: Received[]
  readonly requests: Received[]
  close(): Promise<void>
}

/** Starts a service whose tokens are `token-1`, `token-2` and so on, unless `issue` overrides that. */
export async function scriptedGateway(script: Script, issue: Script = nextToken()): Promise<ScriptedGateway> {
  const tokenRequests: Received[] = []
  const requests: Received[] = []
  const server = createServer((incoming, response) => {
    receive(incoming)
      .then(async (request) => {
        const isToken = request.url === '/v2/connect/token'
        const heard = isToken ? tokenRequests : requests
        heard.push(request)
        answer(response, await (isToken ? issue : script)(request))
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tokenRequests,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Issues a different token each time, valid for an hour by default. */
export function nextToken(expiresInSeconds = 3_600): Script {
  let issued = 0
  return () => {
    issued += 1
    const body = {
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      ext_expires_in: expiresInSeconds,
      access_token: `token-${issued}`,
    }
    return { status: 200, body }
  }
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) {
    chunks.push(chunk)
  }
  const { method = '', url = '', headers } = incoming
  return { method, url, headers, body: Buffer.concat(chunks).toString() }
}

function answer(response: ServerResponse, { status, body, headers = {} }: Scripted): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
  response.end(body === undefined || isText ? body : JSON.stringify(body))
}
