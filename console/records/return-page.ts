/** The page that a user returns to after signing for the console: they need no account here. */

import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { sendAnswer } from '../layout/console-page.ts'
import { CONSOLE_PATH } from '../sessions/session-cookie.ts'
import { consoleText } from '../texts/console-texts.ts'

export const RETURN_PATH = `${CONSOLE_PATH}/signed`

export function serveReturnPage(server: FastifyInstance): void {
  server.get<{ Querystring: { status?: string } }>(RETURN_PATH, async (request, reply) => {
    const text =
      request.query.status === 'success' ? consoleText('returned.success') : consoleText('returned.notSigned')
    const body = html`<p>${text}</p><p>${consoleText('returned.close')}</p>`
    return sendAnswer(reply, { kind: 'page', title: consoleText('returned.title'), body }, undefined)
  })
}
