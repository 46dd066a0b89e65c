/** A proxy to sandbox banks that gives every resource an id with slashes, as banks with plain Base64 do. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A running proxy, and the paths that it was asked for. */
export type Base64IdProxy = { readonly url: string; readonly requested: readonly string[]; close(): Promise<void> }

const MARK = Buffer.from([0xff, 0xff, 0xff])
const FIELD = /("(?:paymentId|authorisationId|basketId|consentId|resourceId)":\s*")([0-9a-f-]{36})"/g
const ID = /\/{4}[A-Za-z0-9+/]{22}==/g
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'content-length', 'host', 'transfer-encoding'])

/** Links of the bank have its own ids, which it knows as well. */
export async function startBase64IdProxy(bankUrl: string): Promise<Base64IdProxy> {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    forward(bankUrl, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  return {
    url: `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`,
    requested,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** The id of a resource as the proxy's bank has it. */
export function base64Id(uuid: string): string {
  return Buffer.concat([MARK, Buffer.from(uuid.replaceAll('-', ''), 'hex')]).toString('base64')
}

async function forward(bankUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) {
    parts.push(part)
  }
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    OF_CONNECTION.has(name) ? [] : [[name, withUuids(String(value))]],
  )
  const path = (request.url ?? '').replace(/[^/?]+/g, (segment) => withUuids(decodeURIComponent(segment)))
  const answer = await fetch(`${bankUrl}${path}`, {
    method: request.method ?? 'GET',
    headers,
    ...(parts.length === 0 ? {} : { body: withUuids(Buffer.concat(parts).toString()) }),
  })
  const answered = [...answer.headers].filter(([name]) => !OF_CONNECTION.has(name))
  const body = await answer.text()
  const shown = body.replace(FIELD, (_field, name: string, uuid: string) => `${name}${base64Id(uuid)}"`)
  response.writeHead(answer.status, Object.fromEntries(answered)).end(shown)
}

function withUuids(text: string): string {
  return text.replace(ID, (id) => {
    const hex = Buffer.from(id, 'base64').subarray(MARK.length).toString('hex')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  })
}
