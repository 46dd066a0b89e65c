/** Serves the redirect URI of identity providers, and redirects each browser to where its identification started. */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { sendRedirect } from '../platform/http/pages/page.ts'
import { decodeReturnState } from './open-id-connect.ts'

const NOT_FOUND_TEXT = 'This page does not exist. Go back to the application that redirected you here, and start again.'

/** The parameters of a callback that are passed on (OpenID Connect Core 1.0, 3.1.2.5; RFC 9207). */
const CALLBACK_PARAMETERS = ['code', 'state', 'iss', 'error'] as const

/** The callback is passed on unchecked; the target verifies it. Nothing is used up here. */
export function serveIdentityCallbacks(server: FastifyInstance, { config }: Context): void {
  server.get<{ Querystring: Record<string, unknown> }>('/identity/return', async ({ query }, reply) => {
    const { state } = query
    const back = typeof state === 'string' ? decodeReturnState(config, state) : undefined
    if (back === undefined) {
      return reply
        .code(404)
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
        .send(NOT_FOUND_TEXT)
    }
    for (const name of CALLBACK_PARAMETERS) {
      const value = query[name]
      if (typeof value === 'string') {
        back.searchParams.set(name, value)
      }
    }
    return sendRedirect(reply, back.href)
  })
}
