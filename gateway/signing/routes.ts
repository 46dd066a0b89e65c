/** Serves the user's browser: the link, the way to the bank, the way back, and the bank's hints about signings. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { asRefusal } from '../foundation/http/framework-refusal.ts'
import { serveHint } from '../foundation/http/hints.ts'
import { sendPage, sendRedirect } from '../foundation/http/page.ts'
import { renderFailure } from '../foundation/http/render-failure.ts'
import { hashToken } from '../foundation/ids.ts'
import { answerHint } from './hint.ts'
import { type Leaving, leaveForBank } from './leave-for-bank.ts'
import { leaveSigning } from './leave-signing.ts'
import {
  brokenPage,
  nextPage,
  reviewPage,
  type SigningView,
  unavailablePage,
  unknownPage,
  usedPage,
  waitingPage,
} from './pages.ts'
import { returnFromBank } from './return-from-bank.ts'
import type { Signing, SigningKinds } from './signing.ts'
import { openByLink, openByReturn, type SigningAddress, withStatus } from './signing-address.ts'
import { basePathOf, viewOf } from './signing-view.ts'

type Asked = FastifyRequest<{ Params: SigningAddress }>
type Find = typeof openByLink
type Answer = (signing: Signing, request: Asked, reply: FastifyReply) => Promise<FastifyReply>

const COOKIE = 'havn_signing'
const LINK = '/signing/:partnerId/:signingId/:token'
const BACK = '/signing/:partnerId/:signingId/return/:token'

/** Registers the addresses of all signings, whatever room they belong to. */
export function serveSigning(server: FastifyInstance, context: Context, kinds: SigningKinds): void {
  const see = (signing: Signing, request: Asked) => viewOf(context, kinds, signing, pathOf(request))
  const review: Answer = async (signing, request, reply) =>
    sendPage(reply, signing.outcome !== null ? usedPage() : reviewPage(await see(signing, request)))
  const goToBank: Answer = async (signing, request, reply) => {
    const leaving = await leaveForBank(context, kinds[signing.kind], signing, browserOf(request))
    if ('browserToken' in leaving) {
      reply.header('set-cookie', cookieOf(context, signing, leaving.browserToken))
    }
    return sendLeaving(reply, await see(signing, request), leaving)
  }
  const giveUp: Answer = async (signing, _request, reply) => {
    const outcome = await leaveSigning(context, kinds[signing.kind], signing)
    return sendRedirect(reply, withStatus(signing.callbackUrl, outcome))
  }
  const comeBack: Answer = async (signing, request, reply) => {
    const standing = await returnFromBank(context, kinds[signing.kind], signing, request.params.token)
    if (standing.at === 'end') {
      return sendRedirect(reply, withStatus(signing.callbackUrl, standing.outcome))
    }
    const view = await see(standing.signing, request)
    return sendPage(reply, standing.at === 'next' ? nextPage(view) : waitingPage(view))
  }
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendFault(context, error, request, reply))
    pages.get(LINK, opened(context, openByLink, forOneBrowser(review)))
    pages.post(LINK, opened(context, openByLink, goToBank))
    pages.post(`${LINK}/leave`, opened(context, openByLink, forOneBrowser(giveUp)))
    pages.get(BACK, opened(context, openByReturn, comeBack))
    pages.post(`${BACK}/next`, opened(context, openByReturn, goToBank))
    pages.post(`${BACK}/leave`, opened(context, openByReturn, giveUp))
  })
  serveHint<SigningAddress>(server, '/hints/signings/:partnerId/:signingId/:token', context.log, (address) =>
    answerHint(context, address),
  )
}

/** Finds the signing first; an address that leads nowhere is told so kindly. */
function opened(context: Context, find: Find, answer: Answer) {
  return async (request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
    const signing = await find(context, request.params)
    return signing === undefined ? sendPage(reply, unknownPage()) : await answer(signing, request, reply)
  }
}

function sendLeaving(reply: FastifyReply, view: SigningView, leaving: Leaving): FastifyReply {
  switch (leaving.to) {
    case 'bank':
      return sendRedirect(reply, leaving.url)
    case 'partner':
      return sendRedirect(reply, withStatus(view.signing.callbackUrl, leaving.outcome))
    case 'nowhere':
      return sendPage(reply, leaving.why === 'used' ? usedPage() : unavailablePage(view))
  }
}

/** A browser gets a page, never an envelope or a trace. */
function sendFault({ log }: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = renderFailure(asRefusal(error), request.id)
  if (status < 500) {
    return sendPage(reply, { ...brokenPage(request.id), status })
  }
  const refusal = error instanceof BankRefusal ? error.kind : undefined
  log.error({ requestId: request.id, route: request.routeOptions.url, refusal, error }, 'a page could not be shown')
  return sendPage(reply, brokenPage(request.id))
}

/** Secure wherever browsers reach us by https. */
function cookieOf({ config }: Context, { partnerId, id }: Signing, token: string): string {
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  const path = `${basePathOf(config)}/signing/${partnerId}/${id}`
  return `${COOKIE}=${token}; Path=${path}; HttpOnly; SameSite=Lax${secure}`
}

function browserOf(request: FastifyRequest): { token: string | undefined; ipAddress: string; userAgent: string } {
  const [, token] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '') ?? []
  return { token, ipAddress: request.ip, userAgent: request.headers['user-agent'] ?? '' }
}

/** Once a browser has used the link, what it leads to is that one's business alone. */
function forOneBrowser(answer: Answer): Answer {
  return async (signing, request, reply) => {
    const { token } = browserOf(request)
    const isOwn = signing.browserHash === null || (token !== undefined && hashToken(token) === signing.browserHash)
    return isOwn ? await answer(signing, request, reply) : sendPage(reply, usedPage())
  }
}

function pathOf(request: FastifyRequest): string {
  return (request.url.split('?')[0] ?? '').replace(/\/(leave|next)$/, '')
}
