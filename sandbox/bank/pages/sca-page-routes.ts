/** Serves the SCA pages: the link of an authorisation, and its form. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { DECISIONS } from '../authorisations/authorisation.ts'
import { authorisationByLink } from '../authorisations/authorisation-store.ts'
import { decideAuthorisation } from '../authorisations/decide-authorisation.ts'
import { identifySigner, openAuthorisation } from '../authorisations/identify-signer.ts'
import { lockAuthorisationWithTarget } from '../authorisations/lock-authorisation.ts'
import type { Context } from '../context.ts'
import { messagePage } from './layout.ts'
import { endedPage, scaPage } from './sca-page.ts'

const LINK = '/sca/:id/:token'
const LinkParts = Type.Object({ id: Type.String(), token: Type.String() })
type LinkParts = Static<typeof LinkParts>

/** The submitted form: a user, or a decision. */
export const Answer = Type.Object({
  userId: Type.Optional(Type.String()),
  decision: Type.Optional(Type.Union(DECISIONS.map((decision) => Type.Literal(decision)))),
})
export type Answer = Static<typeof Answer>

export function scaPageRoutes(context: Context, server: FastifyInstance): void {
  server.get<{ Params: LinkParts }>(LINK, { schema: { params: LinkParts } }, async (request, reply) => {
    const found = await authorisationByLink(context.database.query, request.params.id, request.params.token)
    if (found === undefined) {
      return await sendPage(reply, 404, unknownLinkPage())
    }
    await openAuthorisation(context, found)
    return await sendPage(reply, 200, await renderAuthorisationPage(context, found, null))
  })
  server.post<{ Params: LinkParts; Body: Answer }>(
    LINK,
    { schema: { params: LinkParts, body: Answer } },
    async (request, reply) => {
      const found = await authorisationByLink(context.database.query, request.params.id, request.params.token)
      if (found === undefined) {
        return await sendPage(reply, 404, unknownLinkPage())
      }
      const { decision } = request.body
      return decision === undefined
        ? await submitAnswer(context, request, reply, found)
        : await reply.redirect((await decideAuthorisation(context, found, decision)) ?? request.url, 303)
    },
  )
}

/** Identifies the user of the form, or shows the error. */
export async function submitAnswer(
  context: Context,
  request: { readonly url: string; readonly body: Answer },
  reply: FastifyReply,
  found: Authorisation,
): Promise<FastifyReply> {
  const { rejectedBecause } = await identifySigner(context, found, request.body.userId ?? '')
  return rejectedBecause === null
    ? await reply.redirect(request.url, 303)
    : await sendPage(reply, 403, await renderAuthorisationPage(context, found, rejectedBecause))
}

export async function renderAuthorisationPage(
  context: Context,
  found: Authorisation,
  validationError: string | null,
): Promise<string> {
  const shown = await context.database.query
    .transaction()
    .execute((transaction) => lockAuthorisationWithTarget(context, transaction, found))
  return shown === undefined ? endedPage(context, found) : await scaPage(context, shown, validationError)
}

function unknownLinkPage(): string {
  return messagePage(
    'Sandbox bank',
    'Unknown link',
    'There is nothing to sign here. Go back to the app and start again.',
  )
}

export async function sendPage(reply: FastifyReply, status: number, page: string): Promise<FastifyReply> {
  return await reply.code(status).type('text/html; charset=utf-8').send(page)
}
