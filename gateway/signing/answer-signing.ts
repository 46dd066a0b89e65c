/** Answers the user's browser on each page of a signing. */
import type { FastifyReply } from 'fastify'
import { stepPurpose } from '../authorisations/authorisation/start-step-authorisation.ts'
import { broughtBy, browserOf, cookieOf, isOwnBrowser } from '../authorisations/browser/requesting-browser.ts'
import { usedPage } from '../authorisations/pages/error-pages.ts'
import {
  appPage,
  confirmPage,
  nextPage,
  resultPage,
  reviewPage,
  type SigningView,
  unavailablePage,
  waitingPage,
} from '../authorisations/pages/pages.ts'
import type { Context } from '../context.ts'
import { sendPage, sendRedirect } from '../platform/http/pages/page.ts'
import { languageOf } from '../platform/http/pages/page-language.ts'
import { newToken } from '../platform/ids.ts'
import { confirmSigning, isAsked } from './confirm-signing.ts'
import { type Browser, type Leaving, leaveForBank } from './leave-for-bank.ts'
import { leaveSigning } from './leave-signing.ts'
import { presentCode } from './present-code.ts'
import { returnFromBank } from './return-from-bank.ts'
import { settleIfStale } from './settle-signing.ts'
import { currentStep, isSigned, outcomeForUser, type Signing, type SigningKinds } from './signing.ts'
import { withStatus } from './signing-address.ts'
import type { Answer, Asked } from './signing-request.ts'
import { viewOf } from './signing-view.ts'
import { findAgain, type Standing } from './standing.ts'

type Answers = Readonly<
  Record<'review' | 'goOn' | 'giveUp' | 'comeBack' | 'confirm' | 'refuse' | 'waitForApp' | 'showCode', Answer>
>

/** The answers for all signings, whatever room they belong to. */
export function answerSigning(context: Context, kinds: SigningKinds): Answers {
  const see = (signing: Signing, request: Asked) =>
    viewOf(context, kinds, signing, { path: pathOf(request), language: languageOf(request.headers) })
  return {
    review: async (signing, request, reply) => {
      // From the page on, so that whoever clicks twice comes as one browser both times. It uses nothing up.
      if (signing.outcome === null && browserOf(context, signing, request).token === undefined) {
        reply.header('set-cookie', cookieOf(context, signing, newToken()))
      }
      return sendPage(reply, lookBack(await see(signing, request), browserOf(context, signing, request)))
    },
    goOn: async (signing, request, reply) => {
      const leaving = await leaveForBank(context, kinds[signing.kind], signing, browserOf(context, signing, request))
      if ('browserToken' in leaving) {
        reply.header('set-cookie', cookieOf(context, signing, leaving.browserToken))
      }
      return sendLeaving(reply, await see(signing, request), leaving)
    },
    giveUp: async (signing, _request, reply) => {
      const outcome = await leaveSigning(context, kinds[signing.kind], signing)
      return sendRedirect(reply, withStatus(signing.callbackUrl, outcome))
    },
    comeBack: async (signing, request, reply) => {
      const { token: browserToken } = browserOf(context, signing, request)
      const comer = { returnToken: request.params.token, query: broughtBy(request.query), browserToken }
      const standing = await returnFromBank(context, kinds[signing.kind], signing, comer)
      if (standing.browserToken !== undefined) {
        reply.header('set-cookie', cookieOf(context, signing, standing.browserToken))
      }
      const asked = isAsked(standing.signing, standing.browserToken ?? browserToken)
      return sendStanding(reply, await see(standing.signing, request), { standing, isAsked: asked })
    },
    confirm: async (signing, request, reply) => await takeWord(signing, request, reply, true),
    refuse: async (signing, request, reply) => await takeWord(signing, request, reply, false),
    waitForApp: async (signing, request, reply) => {
      const standing = await settleIfStale(context, kinds[signing.kind], signing)
      const now = await findAgain(context, signing)
      const view = await see(now, request)
      return isInApp(now) && standing.at !== 'end' && standing.at !== 'next'
        ? sendPage(reply, appPage(view, inAppOf(context, now, view)))
        : sendStanding(reply, view, { standing, isAsked: false })
    },
    showCode: async (signing, _request, reply) => {
      const code = signing.outcome === null ? await presentCode(context, kinds[signing.kind], signing) : null
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-type': 'image/png' })
      return code?.image == null ? await reply.code(404).send('') : await reply.send(Buffer.from(code.image, 'base64'))
    },
  }

  async function takeWord(signing: Signing, request: Asked, reply: FastifyReply, isTheirs: boolean) {
    const answer = { browserToken: browserOf(context, signing, request).token, isTheirs }
    const standing = await confirmSigning(context, kinds[signing.kind], signing, answer)
    const view = await see(await findAgain(context, signing), request)
    return standing === undefined
      ? sendPage(reply, usedPage(view.texts))
      : sendStanding(reply, view, { standing, isAsked: true })
  }
}

/** The page behind the link; for whoever comes by again, what is left to sign, or how it ended. */
function lookBack(view: SigningView, { token }: Browser) {
  const { signing } = view
  const outcome = outcomeForUser(signing)
  if (outcome === null) {
    const isPartlySigned = signing.steps.some((step) => isSigned(step) && step.shown.length > 0)
    const isOnItsWay = signing.browserHash !== null && currentStep(signing) !== undefined
    return isOnItsWay && isPartlySigned ? nextPage(view) : reviewPage(view)
  }
  return isOwnBrowser(signing, token)
    ? resultPage(view, outcome, withStatus(signing.callbackUrl, outcome))
    : usedPage(view.texts)
}

function isInApp(signing: Signing): boolean {
  const way = currentStep(signing)?.way
  return way === 'app' || way === 'code'
}

function inAppOf({ seal }: Context, signing: Signing, { address }: SigningView) {
  const step = currentStep(signing)
  const text = step?.textSealed == null ? null : seal.open(step.textSealed, stepPurpose('text', signing.id))
  return { text, qrAddress: step?.way === 'code' ? `${address}/code.png` : null }
}

type Stands = { readonly standing: Standing; readonly isAsked: boolean }

function sendStanding(reply: FastifyReply, view: SigningView, { standing, isAsked: isToAnswer }: Stands): FastifyReply {
  switch (standing.at) {
    case 'end':
      return sendRedirect(reply, withStatus(view.signing.callbackUrl, standing.outcome))
    case 'next':
      return sendPage(reply, nextPage(view))
    case 'word':
      return sendPage(reply, isToAnswer ? confirmPage(view) : waitingPage(view))
    case 'open':
    case 'lapsed':
      return sendPage(reply, waitingPage(view))
  }
}

function sendLeaving(reply: FastifyReply, view: SigningView, leaving: Leaving): FastifyReply {
  switch (leaving.to) {
    case 'bank':
      return sendRedirect(reply, leaving.url)
    case 'app':
      return sendRedirect(reply, `${view.address}/app`)
    case 'partner':
      return sendRedirect(reply, withStatus(view.signing.callbackUrl, leaving.outcome))
    case 'nowhere':
      return sendPage(reply, leaving.why === 'used' ? usedPage(view.texts) : unavailablePage(view))
  }
}

/** The address of the page whose forms these are, without what they add to it. */
function pathOf(request: Asked): string {
  return (request.url.split('?')[0] ?? '').replace(/\/(leave|next|app|confirm|refuse)$/, '')
}
