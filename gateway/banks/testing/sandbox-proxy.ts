/** Forwards requests to the sandbox banks: Prism forwards to one address and knows only the standard's paths. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export const BANK_HEADER = 'x-sandbox-bank'
/** Replaces the body of a bank's answer. */
export const INSTEAD_HEADER = 'x-answer-instead'

/** Hop-by-hop headers, which are not forwarded. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  BANK_HEADER,
])

export type SandboxProxy = { readonly address: string; close(): Promise<void> }

/** Starts a proxy to the banks that requests name. */
export async function startSandboxProxy(): Promise<SandboxProxy> {
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  return {
    address: `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { [BANK_HEADER]: bank, [INSTEAD_HEADER]: instead } = request.headers
  if (instead !== undefined) {
    const headers = { 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() }
    response.writeHead(200, headers).end(instead)
    return
  }
  const parts: Buffer[] = []
  for await (const part of request) {
    parts.push(part)
  }
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    OF_CONNECTION.has(name) ? [] : [[name, String(value)]],
  )
  const answer = await fetch(`${bank}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
  })
  const responseHeaders = [...answer.headers].filter(([name]) => !OF_CONNECTION.has(name))
  // Links to the bank are rewritten to the proxy.
  const body = (await answer.text()).replaceAll(`${bank}/v1/`, '/v1/')
  response.writeHead(answer.status, Object.fromEntries(responseHeaders)).end(body)
}
