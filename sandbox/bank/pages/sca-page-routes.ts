/** Serves the SCA pages: the link of an authorisation, and its form. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { sendPage } from '../../page-server.ts'
import { type Authorisation, DECISIONS } from '../authorisations/authorisation.ts'
import { authorisationByLink } from '../authorisations/authorisation-store.ts'
import { decideAuthorisation } from '../authorisations/decide-authorisation.ts'
import { identifySigner, openAuthorisation } from '../authorisations/identify-signer.ts'
import { readAuthorisationWithTarget } from '../authorisations/lock-authorisation.ts'
import type { Context } from '../context.ts'
import { messagePage } from './layout.ts'
import { scaPage } from './sca-page.ts'

const LINK = '/sca/:id/:token'
type LinkParts = { readonly id: string; readonly token: string }

/** The submitted form: a user, or a decision. */
export const Answer = Type.Object({
  userId: Type.Optional(Type.String()),
  decision: Type.Optional(Type.Union(DECISIONS.map((decision) => Type.Literal(decision)))),
  /** The user whom the page of the decision shows. */
  signer: Type.Optional(Type.String()),
})
export type Answer = Static<typeof Answer>

export function scaPageRoutes(context: Context, server: FastifyInstance): void {
  const find = ({ id, token }: LinkParts) => authorisationByLink(context, id, token)
  server.get<{ Params: LinkParts }>(LINK, async ({ params }, reply) => {
    const found = await find(params)
    if (found === undefined) {
      return sendPage(reply, 404, unknownLinkPage())
    }
    await openAuthorisation(context, found)
    return sendPage(reply, 200, await renderAuthorisationPage(context, found, null))
  })
  server.post<{ Params: LinkParts; Body: Answer }>(LINK, { schema: { body: Answer } }, async (request, reply) => {
    const found = await find(request.params)
    return found === undefined
      ? sendPage(reply, 404, unknownLinkPage())
      : await submitAnswer(context, request, reply, found)
  })
}

/** Applies the decision of the form, or identifies its user; shows the error. */
export async function submitAnswer(
  context: Context,
  { url, body: { decision, signer, userId = '' } }: { readonly url: string; readonly body: Answer },
  reply: FastifyReply,
  found: Authorisation,
): Promise<FastifyReply> {
  if (decision !== undefined) {
    const decided = await decideAuthorisation(context, found, { decision, signer })
    return 'redirect' in decided
      ? await reply.redirect(decided.redirect ?? url, 303)
      : sendPage(reply, 409, await renderAuthorisationPage(context, found, decided.rejectedBecause))
  }
  const rejectedBecause = await identifySigner(context, found, userId)
  return rejectedBecause === null
    ? await reply.redirect(url, 303)
    : sendPage(reply, 403, await renderAuthorisationPage(context, found, rejectedBecause))
}

export async function renderAuthorisationPage(
  context: Context,
  found: Authorisation,
  validationError: string | null,
): Promise<string> {
  const shown = await readAuthorisationWithTarget(context, found)
  return shown === undefined ? unknownLinkPage() : await scaPage(context, shown, validationError)
}

function unknownLinkPage(): string {
  return messagePage(
    'Sandbox bank',
    'Unknown link',
    'There is nothing to sign here. Go back to the app and start again.',
  )
}
