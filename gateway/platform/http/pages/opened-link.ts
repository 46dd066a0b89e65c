/** Opens links as mail and chat programs pass them on: cut off, with characters of the text around them, or prefetched. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Page, sendPage, sendRedirect } from './page.ts'

/** A token as {@link newToken} makes them, and what does not belong to it: a full stop, a bracket, a space. */
const TOKEN_IN_TEXT = /^([\w-]{43})[^\p{L}\p{N}]*$/u
const ENDS_IN_SLASH = /^[^?]*\/([\w-]{43})\/(\?|$)/

/** The token without what follows it in the link; a text that has none stays. */
export function linkTokenOf(text: string): string {
  return TOKEN_IN_TEXT.exec(text)?.[1] ?? text
}

/**
 * Links that no route has are those that were cut off, or end in a slash. Browsers get the page of an unknown link, or
 * the link without the slash; programs get the error of an unknown path.
 */
export function answerDamagedLinks(
  server: FastifyInstance,
  folder: string,
  pageOf: (request: FastifyRequest) => Page,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    const isOfBrowser = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (!request.is404 || !isOfBrowser || !request.url.startsWith(folder)) {
      done()
      return
    }
    const [, token] = ENDS_IN_SLASH.exec(request.url) ?? []
    // Relative, because a proxy may have removed a prefix of the path.
    token === undefined ? sendPage(reply, pageOf(request)) : sendRedirect(reply, `../${token}`)
  })
}

/** HEAD requests and prefetches, whose responses no user sees, get an empty one and have no side effects. */
export function unlessPrefetch<Request extends FastifyRequest>(
  handle: (request: Request, reply: FastifyReply) => Promise<FastifyReply>,
) {
  return async (request: Request, reply: FastifyReply): Promise<FastifyReply> => {
    const { headers, method } = request
    const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']]
    const isPrefetch = purposes.some((purpose) => /prefetch|preview|prerender/i.test(String(purpose ?? '')))
    return method === 'HEAD' || isPrefetch
      ? reply
          .code(method === 'HEAD' ? 200 : 503)
          .header('cache-control', 'no-store')
          .send('')
      : await handle(request, reply)
  }
}
