/** Serves the browser pages: the authorisation endpoint of each eID, and the identification page. */

import type { FastifyInstance } from 'fastify'
import { messagePage } from '../bank/pages/layout.ts'
import { sendPage, serveStyle } from '../page-server.ts'
import { startIdentification } from './authorisation-endpoint.ts'
import { decide, Form } from './decide-identification.ts'
import { EIDS, type Eid } from './eids.ts'
import { cancelledPage, frontPage, identifyPage } from './pages.ts'
import type { ProviderState } from './provider-state.ts'

type Params = { readonly name: string }

export function pageRoutes(state: ProviderState, server: FastifyInstance): void {
  serveStyle(server)
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
  server.post<{ Params: Params; Body: Form }>(place, { schema: { body: Form } }, ({ params, body }, reply) => {
    const decided = decide(state, params.name, body)
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
