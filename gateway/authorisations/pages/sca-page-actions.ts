/** Handles the browser's requests to each page of an SCA session. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { textsIn } from '../../page-texts/page-texts.ts'
import { parseFormFields } from '../../platform/http/pages/form.ts'
import { type Page, sendPage, sendRedirect } from '../../platform/http/pages/page.ts'
import { newToken } from '../../platform/ids.ts'
import { handleBankReturn } from '../browser/handle-bank-return.ts'
import { type RedirectResult, type RequestingBrowser, redirectToBank } from '../browser/redirect-to-bank.ts'
import {
  callbackParametersOf,
  isConfirmingBrowser,
  isSessionBrowser,
  languageOfSession,
  requestingBrowserOf,
  scaCookieHeader,
} from '../browser/requesting-browser.ts'
import { withStatusParameter } from '../callback-url.ts'
import { cancelScaSession, confirmScaSession } from '../end-sca-session.ts'
import { reloadScaSession, type ScaSessionUrlParams } from '../find-sca-sessions.ts'
import { getQrCode } from '../get-qr-code.ts'
import { refreshScaSessionIfStale, tryRefreshScaSession } from '../refresh-sca-session.ts'
import {
  currentScaStep,
  isAppApproach,
  isSigned,
  outcomeForUser,
  type ScaSession,
  type ScaSubjects,
} from '../sca-session.ts'
import { isOver, type RefreshedScaSession } from '../sca-session-state.ts'
import { type MethodSelected, selectScaMethod } from '../select-sca-method.ts'
import { appOrMethodPage } from './app-pages.ts'
import {
  confirmPage,
  linkUsedPage,
  nextStepPage,
  resultPage,
  reviewPage,
  unavailablePage,
  waitingPage,
} from './pages.ts'
import { pageAddressOf, type ScaPageView, scaPageViewOf } from './sca-page-view.ts'

export type ScaPageRequest = FastifyRequest<{ Params: ScaSessionUrlParams }>

/** Handles a page request once its session is found. */
export type ScaPageAction = (session: ScaSession, request: ScaPageRequest, reply: FastifyReply) => Promise<FastifyReply>

type PageActions = Readonly<Record<string, ScaPageAction>>

/** The page actions of all sessions, whatever module owns them. */
export function scaPageActions(context: Context, subjects: ScaSubjects) {
  const pageOf = (request: ScaPageRequest, reply: FastifyReply): PageResponse => {
    const path = pathOf(request)
    const textsOf = (session: ScaSession) => textsIn(languageOfSession(context, session, request))
    const viewOf = (session: ScaSession) => scaPageViewOf(context, subjects, session, { path, texts: textsOf(session) })
    const endPageOf = async (session: ScaSession) => {
      const current = await endIfOver(context, subjects, await reloadScaSession(context, session))
      return endPage(await viewOf(current), requestingBrowserOf(context, session, request))
    }
    return { reply, viewOf, address: pageAddressOf(context.config, { path }), endPageOf }
  }
  return {
    review: async (session, request, reply) => {
      const browser = requestingBrowserOf(context, session, request)
      setBrowserCookie(context, session, browser, reply)
      const current = await endIfOver(context, subjects, session)
      const signatures = await subjects[session.kind].earlierSignatures?.(context, current)
      const view = { ...(await pageOf(request, reply).viewOf(current)), signatures }
      return sendPage(reply, pageForLink(context, view, browser))
    },
    proceed: async (session, request, reply) => {
      const browser = requestingBrowserOf(context, session, request)
      const result = await redirectToBank(context, subjects[session.kind], session, browser)
      if ('browserToken' in result) {
        reply.header('set-cookie', scaCookieHeader(context, session, result.browserToken))
      }
      return await sendRedirectResult(pageOf(request, reply), session, result)
    },
    cancel: async (session, _request, reply) => {
      const outcome = await cancelScaSession(context, subjects[session.kind], session)
      return sendRedirect(reply, withStatusParameter(session.callbackUrl, outcome))
    },
    handleReturn: async (session, request, reply) => {
      const { token: browserToken } = requestingBrowserOf(context, session, request)
      const browser = { returnToken: request.params.token, query: callbackParametersOf(request.query), browserToken }
      const returned = await handleBankReturn(context, subjects[session.kind], session, browser)
      if (returned.browserToken !== undefined) {
        reply.header('set-cookie', scaCookieHeader(context, session, returned.browserToken))
      }
      const mayConfirm = isConfirmingBrowser(returned.session, returned.browserToken ?? browserToken)
      return await sendState(pageOf(request, reply), returned, mayConfirm)
    },
    showPage: async (_session, request, reply) =>
      sendRedirect(reply, pageAddressOf(context.config, { path: pageOfForm(request) })),
    confirm: async (session, request, reply) => await recordConfirmation(session, request, reply, true),
    refuse: async (session, request, reply) => await recordConfirmation(session, request, reply, false),
    ...appPageActions(context, subjects, pageOf),
  } satisfies PageActions

  async function recordConfirmation(
    session: ScaSession,
    request: ScaPageRequest,
    reply: FastifyReply,
    isConfirmed: boolean,
  ) {
    const answer = { browserToken: requestingBrowserOf(context, session, request).token, isConfirmed }
    const confirmed = await confirmScaSession(context, subjects[session.kind], session, answer)
    const page = pageOf(request, reply)
    return confirmed === undefined
      ? sendPage(reply, await page.endPageOf(session))
      : await sendState(page, confirmed, true)
  }
}

/** The page actions while the user signs in an app or on a device. */
function appPageActions(
  context: Context,
  subjects: ScaSubjects,
  pageOf: (request: ScaPageRequest, reply: FastifyReply) => PageResponse,
) {
  return {
    pollApp: async (session, request, reply) => {
      const page = pageOf(request, reply)
      const polled = await refreshScaSessionIfStale(context, subjects[session.kind], session)
      if (!isAppApproach(currentScaStep(polled.session)?.approach) || polled.at === 'end' || polled.at === 'next') {
        return await sendState(page, polled, false)
      }
      return sendPage(reply, appOrMethodPage(context, await page.viewOf(polled.session)))
    },
    selectMethod: async (session, request, reply) => {
      const page = pageOf(request, reply)
      const browser = requestingBrowserOf(context, session, request)
      const choice = { methodId: parseFormFields(request.body).text('method'), browser }
      const selected = await selectScaMethod(context, subjects[session.kind], session, choice)
      return selected.to === 'choice'
        ? sendPage(reply, appOrMethodPage(context, await page.viewOf(session), true))
        : await sendRedirectResult(page, session, selected)
    },
    renderQrCode: async (session, _request, reply) => {
      const code = session.outcome === null ? await getQrCode(context, subjects[session.kind], session) : null
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-type': 'image/png' })
      return await (code?.image == null ? reply.code(404).send('') : reply.send(Buffer.from(code.image, 'base64')))
    },
  } satisfies PageActions
}

/** What the response to a page request is made of; a redirect needs no view. */
type PageResponse = {
  readonly reply: FastifyReply
  readonly viewOf: (session: ScaSession) => Promise<ScaPageView>
  readonly address: string
  /** The page of a session of which nothing is left to sign in this browser. */
  readonly endPageOf: (session: ScaSession) => Promise<Page>
}

/** Set with the page, so that a double click comes from one browser. It does not use up the link. */
function setBrowserCookie(
  context: Context,
  session: ScaSession,
  { token }: RequestingBrowser,
  reply: FastifyReply,
): void {
  if (session.outcome === null && token === undefined) {
    reply.header('set-cookie', scaCookieHeader(context, session, newToken()))
  }
}

/** A session that has expired ends now, if its bank can be read: it takes no job to close the page. */
async function endIfOver(context: Context, subjects: ScaSubjects, session: ScaSession): Promise<ScaSession> {
  return session.outcome === null && isOver(context, session)
    ? (await tryRefreshScaSession(context, subjects[session.kind], session)).session
    : session
}

/** The page behind the link; on a repeated visit, what is left to sign, or the outcome. */
function pageForLink(context: Context, view: ScaPageView, browser: RequestingBrowser): Page {
  const { session } = view
  if (outcomeForUser(session) === null && !isOver(context, session)) {
    const isPartlySigned = session.steps.some((step) => isSigned(step) && step.shown.length > 0)
    const isInProgress = session.browserHash !== null && currentScaStep(session) !== undefined
    return isInProgress && isPartlySigned ? nextStepPage(view) : reviewPage(view)
  }
  return endPage(view, browser)
}

/** The outcome and the way back to the partner, in the browser that used the link. */
function endPage(view: ScaPageView, { token }: RequestingBrowser): Page {
  const { session } = view
  const outcome = outcomeForUser(session)
  return outcome !== null && isSessionBrowser(session, token)
    ? resultPage(view, outcome, withStatusParameter(session.callbackUrl, outcome))
    : linkUsedPage(view.texts)
}

async function sendState(
  { reply, viewOf }: PageResponse,
  refreshed: RefreshedScaSession,
  isToAnswer: boolean,
): Promise<FastifyReply> {
  const { session } = refreshed
  switch (refreshed.at) {
    case 'end':
      return sendRedirect(reply, withStatusParameter(session.callbackUrl, refreshed.outcome))
    case 'next':
      return sendPage(reply, nextStepPage(await viewOf(session)))
    case 'confirmation':
      return sendPage(reply, isToAnswer ? confirmPage(await viewOf(session)) : waitingPage(await viewOf(session)))
    case 'open':
    case 'expired':
      return sendPage(reply, waitingPage(await viewOf(session)))
  }
}

async function sendRedirectResult(
  { reply, viewOf, address, endPageOf }: PageResponse,
  session: ScaSession,
  result: RedirectResult | Exclude<MethodSelected, { readonly to: 'choice' }>,
): Promise<FastifyReply> {
  switch (result.to) {
    case 'bank':
      return sendRedirect(reply, result.url)
    case 'app':
      return sendRedirect(reply, `${address}/app`)
    case 'partner':
      return sendRedirect(reply, withStatusParameter(session.callbackUrl, result.outcome))
    case 'nowhere':
      return sendPage(
        reply,
        result.why === 'used' ? await endPageOf(session) : unavailablePage(await viewOf(session), result.why),
      )
  }
}

/** The page that a form was on, for a browser that reads the URL of the form, as when the language is changed there. */
function pageOfForm(request: ScaPageRequest): string {
  return `${pathOf(request)}${/\/method(\?|$)/.test(request.url) ? '/app' : ''}`
}

/** The path of the page that the forms are on, without the suffix that they add. */
function pathOf(request: ScaPageRequest): string {
  return (request.url.split('?')[0] ?? '').replace(/\/(leave|next|app|method|confirm|refuse)$/, '')
}
