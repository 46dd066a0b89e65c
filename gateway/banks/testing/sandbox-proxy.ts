/** Passes requests on to the banks of the sandbox: Prism speaks to one address, and knows the standard's paths only. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** Names the path of the bank that a request is for. */
export const BANK_HEADER = 'x-sandbox-bank'
/** A body that is answered in the bank's place. */
export const INSTEAD_HEADER = 'x-answer-instead'

/** What belongs to one connection, and is not passed on. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  BANK_HEADER,
])

/** A running forwarder. */
export type Forwarder = { readonly address: string; close(): Promise<void> }

/** Starts a forwarder to the banks behind an address. */
export async function startForwarder(xs2aUrl: string): Promise<Forwarder> {
  const server = createServer((request, response) => {
    forward(xs2aUrl, request, response).catch((error: unknown) => {
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

async function forward(xs2aUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
  const answer = await fetch(`${xs2aUrl}${bank}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
  })
  const told = [...answer.headers].filter(([name]) => !OF_CONNECTION.has(name))
  // Links to the bank lead to whoever asked, as those of a bank behind a proxy do.
  const body = (await answer.text()).replaceAll(`${xs2aUrl}${bank}/v1/`, '/v1/')
  response.writeHead(answer.status, Object.fromEntries(told)).end(body)
}
