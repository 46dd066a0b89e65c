/** The server of the bank's pages and of the control API. */
import type { FastifyInstance } from 'fastify'
import { requireStorableTexts, statusOfError } from '../control-scope.ts'
import type { Sweep } from '../due-rows.ts'
import { openPageServer, sendPage, serveStyle } from '../page-server.ts'
import type { Context } from './context.ts'
import { controlRoutes } from './control/routes.ts'
import { oauthPageRoutes } from './oauth/page-routes.ts'
import { appRoutes } from './pages/app-page-routes.ts'
import { messagePage } from './pages/layout.ts'
import { accountPage, frontPage } from './pages/overview-page.ts'
import { scaPageRoutes } from './pages/sca-page-routes.ts'

/** Creates the server without listening. */
export function pagesServer(context: Context, sweep: Sweep): FastifyInstance {
  const server = openPageServer({ closing: 'idle' })
  server.addHook('preValidation', requireStorableTexts)
  overviewRoutes(context, server)
  scaPageRoutes(context, server)
  appRoutes(context, server)
  oauthPageRoutes(context, server)
  server.register(async (scope) => controlRoutes(context, sweep, scope), { prefix: '/control' })
  server.setNotFoundHandler((_request, reply) =>
    sendPage(reply, 404, messagePage('Sandbox bank', 'Not found', 'There is nothing at this address.')),
  )
  server.setErrorHandler(async (error, _request, reply) => {
    const status = statusOfError(error)
    if (status >= 500) {
      context.log.error({ err: error }, 'a page failed')
    }
    const text = 'That did not work. Go back to the app and start again.'
    return sendPage(reply, status, messagePage('Sandbox bank', 'Sorry', text))
  })
  return server
}

function overviewRoutes(context: Context, server: FastifyInstance): void {
  serveStyle(server)
  server.get<{ Querystring: { readonly status?: unknown } }>('/', async ({ query: { status } }, reply) =>
    sendPage(reply, 200, await frontPage(context, typeof status === 'string' ? status : undefined)),
  )
  server.get<{ Params: { bic: string; bban: string } }>('/accounts/:bic/:bban', async (request, reply) => {
    const page = await accountPage(context, request.params.bic, request.params.bban)
    return page === undefined ? reply.callNotFound() : sendPage(reply, 200, page)
  })
}
