/** Serves the console: who may see what is checked here, before a route runs. */
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../gateway/context.ts'
import { ApiError } from '../gateway/platform/http/errors/api-error.ts'
import { beginErrorPage } from '../gateway/platform/http/errors/framework-error.ts'
import { parseFormFields } from '../gateway/platform/http/pages/form.ts'
import { FORM_TOKEN_FIELD, hasValidFormToken } from '../gateway/platform/http/pages/form-token.ts'
import { sendRedirect } from '../gateway/platform/http/pages/page.ts'
import { isPermitted } from './access/console-role.ts'
import { isSignInRecent } from './access/console-session.ts'
import type { Viewer } from './access/viewer.ts'
import { serveConsoleAssets } from './console-assets.ts'
import type { ConsoleContext } from './console-context.ts'
import { type ConsoleRoute, get } from './console-route.ts'
import { type ConsoleAnswer, type ConsolePage, isInParts, type SentAnswer, sendAnswer } from './layout/console-page.ts'
import { failurePage, forbiddenPage, notFoundPage, rejectedPage, staleFormPage } from './layout/error-pages.ts'
import { type LivePart, type LiveStreams, openLiveStreams } from './live/live-stream.ts'
import { openLiveVersions } from './live/live-versions.ts'
import { serveReturnPage } from './records/return-page.ts'
import { consoleRoutes } from './routes.ts'
import { deleteSessions } from './sessions/console-session-store.ts'
import { findOpenSession, findViewer } from './sessions/find-current-session.ts'
import { CONSOLE_PATH, readSessionToken } from './sessions/session-cookie.ts'
import {
  type BeginInSession,
  openSessionRequests,
  partsInTurn,
  type SessionRequest,
} from './sessions/session-requests.ts'
import { storableForm } from './sign-in/interrupted-form.ts'
import { SIGN_IN_PATH } from './sign-in/sign-in-page.ts'
import { type LimitSignIns, openSignInLimit, sendSignInPage, serveSignIn } from './sign-in/sign-in-routes.ts'
import { consolePathOf, consolePathOfReferer, queryOf, signInPathFor } from './sign-in/sign-in-target.ts'

/** Registers the console. */
export function serveConsole(server: FastifyInstance, context: ConsoleContext): void {
  serveConsoleAssets(server)
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendErrorPage(context, error, request, reply))
    pages.addHook('onRequest', async ({ method, url }, reply) =>
      method === 'GET' && SLASH_AT_END.test(url) ? sendRedirect(reply, url.replace(SLASH_AT_END, '$1')) : undefined,
    )
    const limitSignIns = openSignInLimit(context)
    const beginInSession = openSessionRequests<ConsoleAnswer>()
    serveSignIn(pages, context, limitSignIns)
    serveReturnPage(pages)
    const streams = openLiveStreams(openLiveVersions(context))
    pages.addHook('preClose', async () => streams.close())
    const routes = consoleRoutes(context)
    for (const route of [...routes, ...addressesOfForms(routes), NOT_FOUND]) {
      pages.route({
        method: route.method,
        url: route.path,
        handler: handlerOf(context, route, { streams, limitSignIns, beginInSession }),
      })
    }
  })
}

/** Of a path, not of its query. */
const SLASH_AT_END = /^([^?]*[^?/])\/+(?=\?|$)/

/** Unknown paths are shown to signed-in users only, so that the pages cannot be enumerated. */
const NOT_FOUND: ConsoleRoute = {
  method: 'GET',
  path: `${CONSOLE_PATH}/*`,
  permission: 'session',
  handle: async () => notFoundPage(),
}

/** Browsers that read the URL of a form, as after a rejected one or a sign-in, are sent to the page that it is on. */
function addressesOfForms(routes: readonly ConsoleRoute[]): readonly ConsoleRoute[] {
  const pathsOf = (wanted: ConsoleRoute['method']) =>
    new Set(routes.flatMap(({ method, path }) => (method === wanted ? [path] : [])))
  const pages = pathsOf('GET')
  const pageOf = (path: string): string => (pages.has(path) ? path : pageOf(path.replace(/\/[^/]*$/, '')))
  return [...pathsOf('POST').difference(pages)].map((path) =>
    get('session')(path, async ({ params }) => {
      const to = pageOf(path).replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
      return { kind: 'redirect', to }
    }),
  )
}

/** What all routes share. */
type RouteSettings = {
  readonly streams: LiveStreams
  readonly limitSignIns: LimitSignIns
  readonly beginInSession: BeginInSession<ConsoleAnswer>
}

function handlerOf(context: Context, route: ConsoleRoute, { streams, limitSignIns, beginInSession }: RouteSettings) {
  const isLive = route.isLive === true
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = parseFormFields(request.body)
    if (route.method === 'POST' && !hasValidFormToken(form.text, readSessionToken(context, request))) {
      return sendAnswer(reply, staleFormPage(), await findViewer(context, request))
    }
    const viewer = await findViewer(context, request, { isUse: !isLive })
    if (viewer === undefined && isLive) {
      return sendAnswer(reply, forbiddenPage(), undefined)
    }
    if (viewer === undefined && route.endsSession === true) {
      return sendAnswer(reply, await endOpenSession(context, request), undefined)
    }
    if (viewer === undefined && route.method === 'POST') {
      await limitSignIns(request, reply)
      return await interruptForm(context, request, reply)
    }
    if (viewer === undefined) {
      return redirectToSignIn(reply, consolePathOf(request.url))
    }
    if (!isPermitted(viewer.session.roles, route.permission)) {
      return sendAnswer(reply, forbiddenPage(), viewer)
    }
    if (route.needsRecentSignIn === true && !isSignInRecent(viewer.session, context.clock.real())) {
      await limitSignIns(request, reply)
      return await interruptForm(context, request, reply)
    }
    const params = request.params as Readonly<Record<string, string>>
    const query = queryOf(request.url)
    const handle = () => route.handle({ viewer, params, query, form })
    const sent = route.method === 'POST' ? `${request.url} ${request.body}` : undefined
    const begin = () => beginInSession(viewer.session.id)
    const answer = isLive ? await handle() : await handleInSession(begin(), reply, { handle, form: sent })
    return answer.kind === 'live'
      ? streams.send(reply, whileUnchanged(context, request, { opened: viewer, part: answer.part }))
      : sendAnswer(reply, answer, viewer)
  }
}

/** The request ends when its answer was sent, and not before its work: a client that goes makes no place for another. */
async function handleInSession(
  { inTurn, onceInTurn, end }: SessionRequest<ConsoleAnswer>,
  reply: FastifyReply,
  { handle, form }: { readonly handle: () => Promise<ConsoleAnswer>; readonly form: string | undefined },
): Promise<ConsoleAnswer> {
  const handled = form === undefined ? inTurn(handle) : onceInTurn(form, handle)
  Promise.allSettled([handled, finished(reply.raw)]).then(end)
  const answer = await handled
  return answer.kind === 'file' && isInParts(answer.content)
    ? { ...answer, content: partsInTurn(answer.content, inTurn) }
    : answer
}

/** A stream ends at the first change after its user has signed out, or got other roles: it was opened with the former. */
function whileUnchanged(
  context: Context,
  request: FastifyRequest,
  { opened, part }: { readonly opened: Viewer; readonly part: LivePart },
): LivePart {
  const accessOf = ({ session: { partnerId, roles } }: Viewer) => `${partnerId} ${roles.toSorted()}`
  const render = async () => {
    const viewer = await findViewer(context, request, { isUse: false })
    return viewer === undefined || accessOf(viewer) !== accessOf(opened) ? undefined : await part.render()
  }
  return { ...part, render }
}

/** Also a session that permits nothing at the moment: the identity provider must say again which roles its user has. */
async function endOpenSession(context: Context, request: FastifyRequest): Promise<SentAnswer> {
  const found = await findOpenSession(context, request)
  if (found !== undefined) {
    await deleteSessions(context.database, found.session, found.session)
  }
  return { kind: 'redirect', to: SIGN_IN_PATH }
}

function redirectToSignIn(reply: FastifyReply, next: string): FastifyReply {
  return sendAnswer(reply, { kind: 'redirect', to: signInPathFor(next) }, undefined)
}

/** The form carries the token of the browser's last session, so it is the user's own: it is sent again on request. */
async function interruptForm(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const fields = new URLSearchParams(request.body instanceof URLSearchParams ? request.body : '')
  fields.delete(FORM_TOKEN_FIELD)
  const next = consolePathOfReferer(request.headers.referer)
  const form = { path: consolePathOf(request.url), fields }
  const interrupted = await storableForm(context, readSessionToken(context, request) ?? '', form)
  return interrupted === undefined
    ? redirectToSignIn(reply, next)
    : await sendSignInPage(context, request, reply, { next, interrupted })
}

async function sendErrorPage(
  context: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const status = beginErrorPage(context.log, error, request, reply)
  // The session may be what cannot be read. Its use was recorded before the error, if it was one.
  const viewer = await findViewer(context, request, { isUse: false }).catch(() => undefined)
  return sendAnswer(reply, errorPageOf(error, status, request), viewer)
}

function errorPageOf(error: unknown, status: number, { id, method }: FastifyRequest): ConsolePage {
  if (status === 404) {
    return notFoundPage()
  }
  return error instanceof ApiError && status < 500
    ? rejectedPage(status, error.message, { isForm: method === 'POST' })
    : failurePage(status, id)
}
