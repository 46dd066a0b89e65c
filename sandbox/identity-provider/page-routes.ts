/** Serves the browser pages: the authorisation endpoint of each eID, and the identification page. */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import { startIdentification } from './authorisation-endpoint.ts'
import { DECISIONS, decide } from './decide-identification.ts'
import { EIDS, type Eid } from './eids.ts'
import { cancelledPage, frontPage, identifyPage, messagePage } from './pages.ts'
import type { ProviderState } from './provider-state.ts'

const TYPED_CHARACTERS_MAX = 200
const Line = Type.Optional(Type.String({ maxLength: TYPED_CHARACTERS_MAX }))
const Decision = Type.Union(DECISIONS.map((decision) => Type.Literal(decision)))

/** The submitted form. */
const Answer = Type.Object({
  decision: Decision,
  userId: Line,
  given: Line,
  family: Line,
  birthDate: Line,
  nationalId: Line,
  groups: Line,
})
type Answer = Static<typeof Answer>
type Params = { readonly name: string }

export function pageRoutes(state: ProviderState, server: FastifyInstance): void {
  const style = readFile(new URL('../bank/pages/style.css', import.meta.url), 'utf8')
  server.get('/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(await style))
  server.get('/', (_request, reply) => sendPage(reply, 200, frontPage(state.url)))
  for (const eid of EIDS) {
    eidRoutes(state, server, eid)
  }
}

function eidRoutes(state: ProviderState, server: FastifyInstance, eid: Eid): void {
  const place = `/${eid.path}/requests/:name`
  server.get<{ Querystring: Record<string, unknown> }>(`/${eid.path}/authorize`, (request, reply) => {
    const requested = startIdentification(state, eid, request.query)
    if ('validationError' in requested) {
      return sendPage(reply, 400, messagePage(eid.name, 'This is not possible', requested.validationError))
    }
    return reply.redirect('stored' in requested ? `/${eid.path}/requests/${requested.stored}` : requested.redirect, 303)
  })
  server.get<{ Params: Params }>(place, ({ params }, reply) => {
    const request = state.grants.waiting(params.name)
    return request?.eid === eid
      ? sendPage(reply, 200, identifyPage(request, { validationError: null }))
      : sendPage(reply, 404, overPage(eid))
  })
  server.post<{ Params: Params; Body: Answer }>(place, { schema: { body: Answer } }, ({ params, body }, reply) => {
    const decided = decide(state, params.name, body.decision, body)
    if (decided === undefined) {
      return sendPage(reply, 404, overPage(eid))
    }
    if ('validationError' in decided) {
      return sendPage(reply, 422, identifyPage(decided.request, { ...body, validationError: decided.validationError }))
    }
    return decided.redirect === null ? sendPage(reply, 200, cancelledPage(eid)) : reply.redirect(decided.redirect, 303)
  })
}

function overPage({ name }: Eid): string {
  return messagePage(name, 'This is over', 'This request has ended. Go back to the app and start again.')
}

function sendPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text)
}
