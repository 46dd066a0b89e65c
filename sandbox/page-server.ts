/** Opens the servers of pages of the sandbox's programs: limits, forms, the headers of every page, and their style. */

import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'

const BODY_BYTES_MAX = 64 * 1024
/**
 * Browsers check `form-action` against every redirect that follows a form, and those lead to the client or app
 * and from there to its own customer: any https address, and plain http on this machine.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self' https: http://127.0.0.1:* http://localhost:*",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
/** Compiles a schema once for all servers of a process. */
const ajv = new Ajv()
addFormats.default(ajv)

/** `closing` states whether all connections are cut when it closes, or only idle ones. It does not listen yet. */
export function openPageServer({ closing }: { readonly closing: 'all' | 'idle' }): FastifyInstance {
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    exposeHeadRoutes: false,
    forceCloseConnections: closing === 'all' ? true : 'idle',
    logger: false,
  })
  server.setValidatorCompiler(({ schema }) => ajv.compile(schema))
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(text))))
  })
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
  })
  return server
}

/** The style sheet of all pages. */
export function serveStyle(server: FastifyInstance): void {
  const style = readFile(new URL('./bank/pages/style.css', import.meta.url), 'utf8')
  server.get('/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(await style))
}

export function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page)
}

/** Listens, and returns the URL; 0 selects a free port. */
export async function listenAt(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port })
  const address = server.addresses().find((one): one is AddressInfo => typeof one !== 'string')
  return urlAt('http', host, address?.port ?? port)
}

export function urlAt(scheme: 'http' | 'https', host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
