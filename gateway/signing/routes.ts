/** Serves the user's browser: the link, the way to the bank or the app, the way back, and the bank's hints. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserOf, isInPassing, isOwnBrowser } from '../authorisations/browser/requesting-browser.ts'
import { brokenPage, unknownPage, usedPage } from '../authorisations/pages/error-pages.ts'
import { textsIn } from '../authorisations/pages/texts/texts-by-language.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { serveHint } from '../foundation/http/hints.ts'
import { asRefusal } from '../platform/http/errors/framework-error.ts'
import { renderFailure } from '../platform/http/errors/render-error.ts'
import { sendPage } from '../platform/http/pages/page.ts'
import { languageOf } from '../platform/http/pages/page-language.ts'
import { answerSigning } from './answer-signing.ts'
import { answerHint } from './hint.ts'
import type { SigningKinds } from './signing.ts'
import { openByLink, openByReturn, type SigningAddress } from './signing-address.ts'
import type { Answer, Asked } from './signing-request.ts'

const LINK = '/signing/:partnerId/:signingId/:token'
const BACK = '/signing/:partnerId/:signingId/return/:token'

/** Registers the addresses of all signings, whatever room they belong to. */
export function serveSigning(server: FastifyInstance, context: Context, kinds: SigningKinds): void {
  const answers = answerSigning(context, kinds)
  const byLink = (answer: Answer) => opened(context, openByLink, answer)
  const byReturn = (answer: Answer) => opened(context, openByReturn, answer)
  const forOneBrowser = (answer: Answer) => onlyForOneBrowser(context, answer)
  const unlessTaken = (answer: Answer) => onlyUnlessTaken(context, answer)
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendFault(context, error, request, reply))
    pages.get(LINK, byLink(unlessTaken(answers.review)))
    pages.post(LINK, byLink(answers.goOn))
    pages.get(BACK, byReturn(answers.comeBack))
    pages.post(`${BACK}/next`, byReturn(answers.goOn))
    pages.post(`${BACK}/leave`, byReturn(answers.giveUp))
    pages.post(`${BACK}/confirm`, byReturn(answers.confirm))
    pages.post(`${BACK}/refuse`, byReturn(answers.refuse))
    pages.post(`${LINK}/next`, byLink(forOneBrowser(answers.goOn)))
    pages.post(`${LINK}/leave`, byLink(unlessTaken(answers.giveUp)))
    for (const [path, by] of [[LINK, byLink] as const, [BACK, byReturn] as const]) {
      pages.get(`${path}/app`, by(forOneBrowser(answers.waitForApp)))
      pages.get(`${path}/code.png`, by(forOneBrowser(answers.showCode)))
    }
  })
  serveHint<SigningAddress>(server, '/hints/signings/:partnerId/:signingId/:token', context.log, (address) =>
    answerHint(context, address),
  )
}

/** Finds the signing first; an address that leads nowhere is told so kindly. What only looks in passing changes nothing. */
function opened(context: Context, find: typeof openByLink, answer: Answer) {
  return async (request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
    if (isInPassing(request)) {
      return await reply
        .code(request.method === 'HEAD' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send('')
    }
    const signing = await find(context, request.params)
    return signing === undefined
      ? sendPage(reply, unknownPage(textsIn(languageOf(request.headers))))
      : await answer(signing, request, reply)
  }
}

/** Once a browser has used the link, what it leads to is that one's business alone. */
function onlyUnlessTaken(context: Context, answer: Answer): Answer {
  return async (signing, request, reply) =>
    await (signing.browserHash === null ? answer : onlyForOneBrowser(context, answer))(signing, request, reply)
}

/** For the browser that used the link, and nobody else's. */
function onlyForOneBrowser(context: Context, answer: Answer): Answer {
  return async (signing, request, reply) =>
    isOwnBrowser(signing, browserOf(context, signing, request).token)
      ? await answer(signing, request, reply)
      : sendPage(reply, usedPage(textsIn(languageOf(request.headers))))
}

/** A browser gets a page, never an envelope or a trace. */
function sendFault({ log }: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const texts = textsIn(languageOf(request.headers))
  const { status } = renderFailure(asRefusal(error), request.id)
  if (status < 500) {
    return sendPage(reply, { ...brokenPage(texts, request.id), status })
  }
  const refusal = error instanceof BankRefusal ? error.kind : undefined
  log.error({ requestId: request.id, route: request.routeOptions.url, refusal, error }, 'a page could not be shown')
  return sendPage(reply, brokenPage(texts, request.id))
}
