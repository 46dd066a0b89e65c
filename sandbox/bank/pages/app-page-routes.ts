/** Serves the simulated app: its list of orders, the scanning of a code, and an opened order. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { isId } from '../../../gateway/platform/ids.ts'
import { renderQrImage } from '../../../gateway/platform/render-qr-image.ts'
import { findAuthorisationByAppCode } from '../authorisations/app-authorisations.ts'
import { currentAppCode } from '../authorisations/app-code.ts'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationById, authorisationByLink } from '../authorisations/authorisation-store.ts'
import { decideAuthorisation } from '../authorisations/decide-authorisation.ts'
import { openAuthorisation } from '../authorisations/identify-signer.ts'
import type { Context } from '../context.ts'
import { appPage } from './app-page.ts'
import { Answer, renderAuthorisationPage, sendPage, submitAnswer } from './sca-page-routes.ts'

const Id = Type.Object({ id: Type.String() })
const LinkParts = Type.Object({ id: Type.String(), token: Type.String() })
const Scan = Type.Object({ code: Type.Optional(Type.String({ maxLength: 2_000 })) })

export function appRoutes(context: Context, server: FastifyInstance): void {
  server.get('/app', async (_request, reply) => await sendPage(reply, 200, await appPage(context, null)))
  server.post<{ Body: Static<typeof Scan> }>('/app', { schema: { body: Scan } }, async (request, reply) =>
    scan(context, reply, request.body.code ?? ''),
  )
  orderRoutes(context, server)
  server.get<{ Params: Static<typeof LinkParts> }>(
    '/codes/:id/:token',
    { schema: { params: LinkParts } },
    async ({ params }, reply) => {
      const found = isId(params.id)
        ? await authorisationByLink(context.database.query, params.id, params.token)
        : undefined
      const code = found === undefined ? null : currentAppCode(context, found)
      return code === null ? reply.callNotFound() : reply.type('image/png').send(renderQrImage(code))
    },
  )
}

/** One order: opened from the list, answered with a user and a decision. */
function orderRoutes(context: Context, server: FastifyInstance): void {
  server.get<{ Params: Static<typeof Id> }>('/app/:id', { schema: { params: Id } }, async ({ params }, reply) => {
    const found = await appOrder(context, params.id)
    return found === undefined
      ? reply.callNotFound()
      : await sendPage(reply, 200, await renderAuthorisationPage(context, found, null))
  })
  server.post<{ Params: Static<typeof Id>; Body: Answer }>(
    '/app/:id',
    { schema: { params: Id, body: Answer } },
    async (request, reply) => {
      const found = await appOrder(context, request.params.id)
      if (found === undefined) {
        return reply.callNotFound()
      }
      await openAuthorisation(context, found)
      const { decision, userId } = request.body
      if (decision !== undefined) {
        await decideAuthorisation(context, found, decision)
      }
      return decision === undefined && userId !== undefined
        ? await submitAnswer(context, request, reply, found)
        : await reply.redirect(request.url, 303)
    },
  )
}

/** Simulates the scan of a code: opens the order if the code is valid and was not scanned before. */
async function scan(context: Context, reply: FastifyReply, code: string): Promise<FastifyReply> {
  const found = await findAuthorisationByAppCode(context, code)
  if (found === undefined) {
    const validationError =
      'The app does not recognise this code. Copy the whole code again: codes change every second.'
    return await sendPage(reply, 404, await appPage(context, validationError))
  }
  await openAuthorisation(context, found)
  return await reply.redirect(`/app/${found.id}`, 303)
}

async function appOrder(context: Context, id: string): Promise<Authorisation | undefined> {
  const found = isId(id) ? await authorisationById(context.database.query, id) : undefined
  return found?.approach === 'app' ? found : undefined
}
