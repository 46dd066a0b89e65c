/** Answers the links that were given away: the page behind them, which uses nothing up, and the button on it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readForm } from '../../platform/http/pages/form.ts'
import { isOwnForm } from '../../platform/http/pages/form-token.ts'
import { sendPage, sendRedirect } from '../../platform/http/pages/page.ts'
import { languageOf } from '../../platform/http/pages/page-language.ts'
import { findByLink, type LinkTarget } from '../find-onboarding-by-link.ts'
import { isOpen } from '../onboarding.ts'
import { openOnboarding } from '../open-onboarding.ts'
import { sendOutcome } from './actions/send-outcome.ts'
import { type FlowContext, viewOf } from './flow.ts'
import { beginSession, browserOf, flowPath, isOver, knownToken } from './flow-session.ts'
import { textsIn } from './texts/texts-in.ts'
import { ownStartPage, startPage } from './views/start-page.ts'
import { foreignPage, unavailablePage, unknownPage } from './views/status-pages.ts'

/** What stands in a link. */
export type LinkAddress = { readonly partnerId: string; readonly id: string; readonly token: string }
export type LinkAsked = FastifyRequest<{ Params: LinkAddress }>

/** Shows the page behind a link. */
export function showStart(context: FlowContext) {
  return atLink(context, async ({ onboarding, signer }, request, reply) => {
    const came = { partnerId: onboarding.partnerId, id: onboarding.id, signerId: signer?.id ?? null }
    const browser = await browserOf(context, request, came)
    if (signer !== null && isOver(onboarding, browser.session)) {
      return sendPage(reply, unknownPage(textsIn(languageOf(request.headers))))
    }
    const token = knownToken(context, reply, came, browser)
    const view = await viewOf(context, request, { came, onboarding, token })
    if (signer === null && !isOpen(onboarding)) {
      return sendOutcome({ view, came }, reply)
    }
    const path = `${flowPath(context, { ...came, signerId: null })}/${request.params.token}`
    return sendPage(reply, (signer === null ? startPage : ownStartPage)({ ...view, path }))
  })
}

/** Uses a link: the browser gets a session, and the company's own link opens the onboarding. */
export function begin(context: FlowContext) {
  return atLink(context, async ({ onboarding, signer }, request, reply) => {
    const came = { partnerId: onboarding.partnerId, id: onboarding.id, signerId: signer?.id ?? null }
    const browser = await browserOf(context, request, came)
    if (signer !== null && isOver(onboarding, browser.session)) {
      return sendPage(reply, unknownPage(textsIn(languageOf(request.headers))))
    }
    if (browser.token === undefined || !isOwnForm(readForm(request.body).text, browser.token)) {
      return sendPage(reply, foreignPage(textsIn(languageOf(request.headers))))
    }
    if (signer === null && isOpen(onboarding)) {
      const { outcome } = await openOnboarding(context, onboarding)
      if (outcome === 'registry-unavailable') {
        return sendPage(reply, unavailablePage(textsIn(languageOf(request.headers)), request.params.token))
      }
    }
    if (browser.session === undefined) {
      await beginSession(context, reply, came, browser.token)
    }
    return sendRedirect(reply, `${flowPath(context, came)}/continue`)
  })
}

type AtLink = (target: LinkTarget, request: LinkAsked, reply: FastifyReply) => Promise<FastifyReply>

/** Finds what a link leads to first; one that leads nowhere is told so kindly. */
function atLink(context: FlowContext, answer: AtLink) {
  return async (request: LinkAsked, reply: FastifyReply): Promise<FastifyReply> => {
    const target = await findByLink(context, request.params)
    return target === undefined
      ? sendPage(reply, unknownPage(textsIn(languageOf(request.headers))))
      : await answer(target, request, reply)
  }
}
