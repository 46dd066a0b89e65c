/** Handles onboarding links: GET shows the start page without side effects, its button starts the session. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { languageOfCountry } from '../../../countries/served-countries.ts'
import { textsIn } from '../../../page-texts/page-texts.ts'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { hasValidFormToken } from '../../../platform/http/pages/form-token.ts'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import { languageOf } from '../../../platform/http/pages/page-language.ts'
import { findOnboardingByLink, type LinkTarget } from '../../onboarding-link.ts'
import { openOnboarding } from '../../open-onboarding.ts'
import { beginIdentification, finishIdentification } from '../../sessions/session-identification.ts'
import { isOpen } from '../../store/onboarding.ts'
import { buildView, type FlowHandler, redirectToPage, sendOutcome } from '../flow.ts'
import {
  beginSession,
  ensureBrowserToken,
  findBrowser,
  flowPath,
  isSessionExpired,
  setBrowserToken,
} from '../flow-session.ts'
import { expiredFormPage, invalidLinkPage, ownStartPage, startPage, unavailablePage } from '../views/status-pages.ts'

/** The path parameters of a link. */
export type LinkAddress = { readonly partnerId: string; readonly id: string; readonly token: string }
export type LinkRequest = FastifyRequest<{ Params: LinkAddress }>

/** Shows the start page of a link. */
export function showStart(context: Context) {
  return withLinkTarget(context, async ({ onboarding, signer }, request, reply) => {
    const link = { partnerId: onboarding.partnerId, id: onboarding.id, signerId: signer?.id ?? null }
    const browser = await findBrowser(context, request, link)
    if (signer !== null && isSessionExpired(onboarding, browser.session)) {
      return sendPage(reply, invalidLinkPage(textsIn(languageOf(request))))
    }
    const token = ensureBrowserToken(context, reply, link, browser)
    const view = await buildView(context, request, { link, onboarding, token })
    if (signer === null && !isOpen(onboarding)) {
      return sendOutcome({ view, link }, reply)
    }
    const path = `${flowPath(context, { ...link, signerId: null })}/${request.params.token}`
    return sendPage(reply, (signer === null ? startPage : ownStartPage)({ ...view, path }))
  })
}

/** Starts a session; the company's link also opens the onboarding. */
export function startFlow(context: Context) {
  return withLinkTarget(context, async ({ onboarding, signer }, request, reply) => {
    const link = { partnerId: onboarding.partnerId, id: onboarding.id, signerId: signer?.id ?? null }
    const browser = await findBrowser(context, request, link)
    if (signer !== null && isSessionExpired(onboarding, browser.session)) {
      return sendPage(reply, invalidLinkPage(textsIn(languageOf(request))))
    }
    if (browser.token === undefined || !hasValidFormToken(parseFormFields(request.body).text, browser.token)) {
      return sendPage(reply, expiredFormPage(textsIn(languageOf(request))))
    }
    if (signer === null && isOpen(onboarding)) {
      const { outcome } = await openOnboarding(context, onboarding)
      if (outcome === 'registry-unavailable') {
        const texts = textsIn(languageOf(request, languageOfCountry(onboarding.countryCode)))
        return sendPage(reply, unavailablePage(texts, request.params.token))
      }
    }
    if (browser.session === undefined) {
      await beginSession(context, reply, link, browser.token)
    }
    return sendRedirect(reply, `${flowPath(context, link)}/continue`)
  })
}

type AtLink = (target: LinkTarget, request: LinkRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Finds the onboarding of the link first; an unknown link gets a friendly page. */
function withLinkTarget(context: Context, answer: AtLink) {
  return async (request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const target = await findOnboardingByLink(context, request.params)
    return target === undefined
      ? sendPage(reply, invalidLinkPage(textsIn(languageOf(request))))
      : await answer(target, request, reply)
  }
}

/** The last path segment of the callback URL. */
const BACK = 'identified'

export function identify(context: Context): FlowHandler {
  return async (flow, _request, reply) => {
    const { partnerId, id, signerId } = flow.link
    const place = `${context.config.onboardingUrl}/onboarding/${partnerId}/${id}`
    const back = `${place}${signerId === null ? '' : `/signers/${signerId}`}/${BACK}`
    const begun = await beginIdentification(context, flow.session, { back })
    return begun.outcome === 'begun'
      ? sendRedirect(reply, begun.url)
      : sendPage(reply, unavailablePage(flow.view.texts, `${flow.view.path}/continue`))
  }
}

/** Handles the callback; an unexpected person is reported on the next page. */
export function identified(context: Context): FlowHandler {
  return async (flow, { query, url }, reply) => {
    const brought = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)] as const)
    const ended = await finishIdentification(context, flow.session, Object.fromEntries(brought))
    switch (ended.outcome) {
      case 'unavailable':
        return sendPage(reply, unavailablePage(flow.view.texts, url))
      case 'other-person':
        return redirectToPage(reply, flow, 'continue?status=other-person')
      case 'identified':
        setBrowserToken(context, reply, flow.link, ended.token)
        return redirectToPage(reply, flow)
      case 'declined':
      case 'foreign':
      case 'not-proven':
        return redirectToPage(reply, flow)
    }
  }
}
