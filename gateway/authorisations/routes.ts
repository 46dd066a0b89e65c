/** Serves the user's browser (link, redirect to the bank or app, return) and the bank's notifications. */
import type { FastifyInstance } from 'fastify'
import { isPartnerDisabled } from '../auth/list-partners.ts'
import type { Context } from '../context.ts'
import { textsIn } from '../page-texts/page-texts.ts'
import { beginErrorPage } from '../platform/http/errors/framework-error.ts'
import { serveNotificationEndpoint } from '../platform/http/notification-endpoint.ts'
import { answerDamagedLinks, unlessPrefetch } from '../platform/http/pages/opened-link.ts'
import { sendPage } from '../platform/http/pages/page.ts'
import { languageOf, storeChosenLanguage } from '../platform/http/pages/page-language.ts'
import { isSessionBrowser, languageOfSession, requestingBrowserOf } from './browser/requesting-browser.ts'
import { findScaSessionByLink, findScaSessionByReturn, type ScaSessionUrlParams } from './find-sca-sessions.ts'
import { handleBankNotification } from './handle-bank-notification.ts'
import { linkUnknownPage, linkUsedPage, serverErrorPage } from './pages/pages.ts'
import { type ScaPageAction, type ScaPageRequest, scaPageActions } from './pages/sca-page-actions.ts'
import type { ScaSubjects } from './sca-session.ts'

const LINK = '/signing/:partnerId/:scaSessionId/:token'
const BACK = '/signing/:partnerId/:scaSessionId/return/:token'

/** Registers the routes of all SCA sessions, whatever module owns them. */
export function serveScaSessions(server: FastifyInstance, context: Context, subjects: ScaSubjects): void {
  const actions = scaPageActions(context, subjects)
  const byLink = (action: ScaPageAction) => withSession(context, findScaSessionByLink, action)
  const byReturn = (action: ScaPageAction) => withSession(context, findScaSessionByReturn, action)
  const forOneBrowser = (action: ScaPageAction) => forSessionBrowserOnly(context, action)
  const unlessUsed = (action: ScaPageAction) => unlessUsedByOtherBrowser(context, action)
  const proceed = unlessDisabled(context, actions.proceed)
  answerDamagedLinks(server, '/signing/', (request) => linkUnknownPage(textsIn(languageOf(request))))
  server.register(async (pages) => {
    storeChosenLanguage(pages, context.config.baseUrl.startsWith('https:'))
    pages.setErrorHandler((error, request, reply) => {
      const status = beginErrorPage(context.log, error, request, reply)
      return sendPage(reply, { ...serverErrorPage(textsIn(languageOf(request)), request.id), status })
    })
    pages.get(LINK, byLink(unlessDisabled(context, unlessUsed(actions.review))))
    pages.post(LINK, byLink(proceed))
    pages.get(BACK, byReturn(actions.handleReturn))
    pages.post(`${BACK}/next`, byReturn(proceed))
    pages.post(`${BACK}/leave`, byReturn(actions.cancel))
    pages.post(`${BACK}/confirm`, byReturn(actions.confirm))
    pages.post(`${BACK}/refuse`, byReturn(actions.refuse))
    pages.post(`${LINK}/next`, byLink(forOneBrowser(proceed)))
    pages.post(`${LINK}/leave`, byLink(unlessUsed(actions.cancel)))
    for (const [path, by] of [[LINK, byLink] as const, [BACK, byReturn] as const]) {
      pages.get(`${path}/app`, by(forOneBrowser(actions.pollApp)))
      pages.post(`${path}/method`, by(forOneBrowser(actions.selectMethod)))
      pages.get(`${path}/code.png`, by(forOneBrowser(actions.renderQrCode)))
      for (const form of ['next', 'leave', 'confirm', 'refuse', 'method']) {
        pages.get(`${path}/${form}`, by(actions.showPage))
      }
    }
  })
  serveNotificationEndpoint<ScaSessionUrlParams>(
    server,
    '/hints/signings/:partnerId/:scaSessionId/:token',
    context.log,
    (address) => handleBankNotification(context, subjects, address),
  )
}

/** Looks up the session, and renders a 404 page without one. */
function withSession(context: Context, findSession: typeof findScaSessionByLink, action: ScaPageAction) {
  return unlessPrefetch(async (request: ScaPageRequest, reply) => {
    const session = await findSession(context, request.params)
    return session === undefined
      ? sendPage(reply, linkUnknownPage(textsIn(languageOf(request))))
      : await action(session, request, reply)
  })
}

/** For a partner that was disabled nothing is started at a bank; what is in progress there still ends. */
function unlessDisabled(context: Context, action: ScaPageAction): ScaPageAction {
  return async (session, request, reply) =>
    session.outcome === null && (await isPartnerDisabled(context, session.partnerId))
      ? sendPage(reply, linkUnknownPage(textsIn(languageOfSession(context, session, request))))
      : await action(session, request, reply)
}

/** Once a browser has used the link, the link works in that browser only. */
function unlessUsedByOtherBrowser(context: Context, action: ScaPageAction): ScaPageAction {
  return async (session, request, reply) =>
    await (session.browserHash === null ? action : forSessionBrowserOnly(context, action))(session, request, reply)
}

/** Only for the browser that used the link. */
function forSessionBrowserOnly(context: Context, action: ScaPageAction): ScaPageAction {
  return async (session, request, reply) =>
    isSessionBrowser(session, requestingBrowserOf(context, session, request).token)
      ? await action(session, request, reply)
      : sendPage(reply, linkUsedPage(textsIn(languageOfSession(context, session, request))))
}
