/** Handles the browser's requests to each page of an SCA session. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { sendPage, sendRedirect } from '../../platform/http/pages/page.ts'
import { languageOf } from '../../platform/http/pages/page-language.ts'
import { newToken } from '../../platform/ids.ts'
import { scaStepPurpose } from '../authorisation/start-step-authorisation.ts'
import { handleBankReturn } from '../browser/handle-bank-return.ts'
import { type RedirectResult, type RequestingBrowser, redirectToBank } from '../browser/redirect-to-bank.ts'
import {
  callbackParametersOf,
  isSessionBrowser,
  requestingBrowserOf,
  scaCookieHeader,
} from '../browser/requesting-browser.ts'
import { cancelScaSession } from '../cancel-sca-session.ts'
import { confirmScaSession, isConfirmingBrowser } from '../confirm-sca-session.ts'
import { getQrCode } from '../get-qr-code.ts'
import { refreshScaSessionIfStale } from '../refresh-sca-session.ts'
import { currentScaStep, isSigned, outcomeForUser, type ScaSession, type ScaSubjects } from '../sca-session.ts'
import { reloadScaSession, type ScaSessionState } from '../sca-session-state.ts'
import { withStatusParameter } from '../sca-session-url.ts'
import { linkUsedPage } from './error-pages.ts'
import {
  appPage,
  confirmPage,
  nextStepPage,
  resultPage,
  reviewPage,
  type ScaPageView,
  unavailablePage,
  waitingPage,
} from './pages.ts'
import type { ScaPageAction, ScaPageRequest } from './sca-page-request.ts'
import { scaPageViewOf } from './sca-page-view.ts'

type PageActions = Readonly<
  Record<
    'review' | 'proceed' | 'cancel' | 'handleReturn' | 'confirm' | 'refuse' | 'pollApp' | 'renderQrCode',
    ScaPageAction
  >
>

/** The page actions of all sessions, whatever module owns them. */
export function scaPageActions(context: Context, subjects: ScaSubjects): PageActions {
  const viewOf = (session: ScaSession, request: ScaPageRequest) =>
    scaPageViewOf(context, subjects, session, { path: pathOf(request), language: languageOf(request.headers) })
  return {
    review: async (session, request, reply) => {
      const browser = requestingBrowserOf(context, session, request)
      // Set with the page, so that a double click comes from one browser. It does not use up the link.
      if (session.outcome === null && browser.token === undefined) {
        reply.header('set-cookie', scaCookieHeader(context, session, newToken()))
      }
      return sendPage(reply, pageForLink(await viewOf(session, request), browser))
    },
    proceed: async (session, request, reply) => {
      const browser = requestingBrowserOf(context, session, request)
      const result = await redirectToBank(context, subjects[session.kind], session, browser)
      if ('browserToken' in result) {
        reply.header('set-cookie', scaCookieHeader(context, session, result.browserToken))
      }
      return sendRedirectResult(reply, await viewOf(session, request), result)
    },
    cancel: async (session, _request, reply) => {
      const outcome = await cancelScaSession(context, subjects[session.kind], session)
      return sendRedirect(reply, withStatusParameter(session.callbackUrl, outcome))
    },
    handleReturn: async (session, request, reply) => {
      const { token: browserToken } = requestingBrowserOf(context, session, request)
      const browser = { returnToken: request.params.token, query: callbackParametersOf(request.query), browserToken }
      const state = await handleBankReturn(context, subjects[session.kind], session, browser)
      if (state.browserToken !== undefined) {
        reply.header('set-cookie', scaCookieHeader(context, session, state.browserToken))
      }
      const mayConfirm = isConfirmingBrowser(state.session, state.browserToken ?? browserToken)
      return sendState(reply, await viewOf(state.session, request), { state, isConfirmingBrowser: mayConfirm })
    },
    confirm: async (session, request, reply) => await recordConfirmation(session, request, reply, true),
    refuse: async (session, request, reply) => await recordConfirmation(session, request, reply, false),
    pollApp: async (session, request, reply) => {
      const state = await refreshScaSessionIfStale(context, subjects[session.kind], session)
      const now = await reloadScaSession(context, session)
      const view = await viewOf(now, request)
      return isInApp(now) && state.at !== 'end' && state.at !== 'next'
        ? sendPage(reply, appPage(view, appInstructionsOf(context, now, view)))
        : sendState(reply, view, { state, isConfirmingBrowser: false })
    },
    renderQrCode: async (session, _request, reply) => {
      const code = session.outcome === null ? await getQrCode(context, subjects[session.kind], session) : null
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-type': 'image/png' })
      return code?.image == null ? await reply.code(404).send('') : await reply.send(Buffer.from(code.image, 'base64'))
    },
  }

  async function recordConfirmation(
    session: ScaSession,
    request: ScaPageRequest,
    reply: FastifyReply,
    isConfirmed: boolean,
  ) {
    const answer = { browserToken: requestingBrowserOf(context, session, request).token, isConfirmed }
    const state = await confirmScaSession(context, subjects[session.kind], session, answer)
    const view = await viewOf(await reloadScaSession(context, session), request)
    return state === undefined
      ? sendPage(reply, linkUsedPage(view.texts))
      : sendState(reply, view, { state, isConfirmingBrowser: true })
  }
}

/** The page behind the link; on a repeated visit, what is left to sign, or the outcome. */
function pageForLink(view: ScaPageView, { token }: RequestingBrowser) {
  const { session } = view
  const outcome = outcomeForUser(session)
  if (outcome === null) {
    const isPartlySigned = session.steps.some((step) => isSigned(step) && step.shown.length > 0)
    const isInProgress = session.browserHash !== null && currentScaStep(session) !== undefined
    return isInProgress && isPartlySigned ? nextStepPage(view) : reviewPage(view)
  }
  return isSessionBrowser(session, token)
    ? resultPage(view, outcome, withStatusParameter(session.callbackUrl, outcome))
    : linkUsedPage(view.texts)
}

function isInApp(session: ScaSession): boolean {
  const way = currentScaStep(session)?.way
  return way === 'app' || way === 'code'
}

function appInstructionsOf({ seal }: Context, session: ScaSession, { address }: ScaPageView) {
  const step = currentScaStep(session)
  const text = step?.textSealed == null ? null : seal.open(step.textSealed, scaStepPurpose('text', session.id))
  return { text, qrAddress: step?.way === 'code' ? `${address}/code.png` : null }
}

type StateView = { readonly state: ScaSessionState; readonly isConfirmingBrowser: boolean }

function sendState(
  reply: FastifyReply,
  view: ScaPageView,
  { state, isConfirmingBrowser: isToAnswer }: StateView,
): FastifyReply {
  switch (state.at) {
    case 'end':
      return sendRedirect(reply, withStatusParameter(view.session.callbackUrl, state.outcome))
    case 'next':
      return sendPage(reply, nextStepPage(view))
    case 'confirmation':
      return sendPage(reply, isToAnswer ? confirmPage(view) : waitingPage(view))
    case 'open':
    case 'lapsed':
      return sendPage(reply, waitingPage(view))
  }
}

function sendRedirectResult(reply: FastifyReply, view: ScaPageView, result: RedirectResult): FastifyReply {
  switch (result.to) {
    case 'bank':
      return sendRedirect(reply, result.url)
    case 'app':
      return sendRedirect(reply, `${view.address}/app`)
    case 'partner':
      return sendRedirect(reply, withStatusParameter(view.session.callbackUrl, result.outcome))
    case 'nowhere':
      return sendPage(reply, result.why === 'used' ? linkUsedPage(view.texts) : unavailablePage(view))
  }
}

/** The path of the page that the forms are on, without the suffix that they add. */
function pathOf(request: ScaPageRequest): string {
  return (request.url.split('?')[0] ?? '').replace(/\/(leave|next|app|confirm|refuse)$/, '')
}
