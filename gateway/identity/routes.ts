/** Serves the one address that identity providers send browsers back to, and sends each on to where it was begun. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { sendRedirect } from '../platform/http/pages/page.ts'
import { backOf } from './return-state.ts'

const NOT_OURS = 'There is nothing at this address. Go back to the program that sent you here, and start again.'

/** What is of use of a return (OpenID Connect Core 1.0, 3.1.2.5; RFC 9207). */
const BROUGHT = ['code', 'state', 'iss', 'error'] as const

/** What the browser brings goes along; where it goes on, it is checked. Nothing is used up here. */
export function serveIdentityReturns(server: FastifyInstance, { config }: Pick<Context, 'config'>): void {
  server.get<{ Querystring: Record<string, unknown> }>('/identity/return', async ({ query }, reply) => {
    const { state } = query
    const back = typeof state === 'string' ? backOf(config, state) : undefined
    if (back === undefined) {
      return reply
        .code(404)
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
        .send(NOT_OURS)
    }
    for (const name of BROUGHT) {
      const value = query[name]
      if (typeof value === 'string') {
        back.searchParams.set(name, value)
      }
    }
    return sendRedirect(reply, back.href)
  })
}
