/** Handles onboarding links: GET shows the start page without side effects, its button starts the session. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { languageOfCountry } from '../../../countries/served-countries.ts'
import { textsIn } from '../../../page-texts/page-texts.ts'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { hasValidFormToken } from '../../../platform/http/pages/form-token.ts'
import { linkTokenOf } from '../../../platform/http/pages/opened-link.ts'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import { languageOf } from '../../../platform/http/pages/page-language.ts'
import { findOnboardingByLink, type LinkTarget } from '../../onboarding-link.ts'
import { openOnboarding } from '../../open-onboarding.ts'
import { beginIdentification, finishIdentification } from '../../sessions/session-identification.ts'
import { isOpen } from '../../store/onboarding.ts'
import { buildView, type Flow, redirectToPage, sendOutcome } from '../flow.ts'
import {
  beginSession,
  ensureBrowserToken,
  findBrowser,
  flowPath,
  isSessionExpired,
  type LinkKey,
  setBrowserToken,
} from '../flow-session.ts'
import { expiredFormPage, invalidLinkPage, ownStartPage, startPage, unavailablePage } from '../views/status-pages.ts'

/** The path parameters of a link. */
export type LinkAddress = { readonly partnerId: string; readonly id: string; readonly token: string }
export type LinkRequest = FastifyRequest<{ Params: LinkAddress }>

/** Shows the start page of a link. */
export function showStart(context: Context) {
  return withLinkTarget(context, async ({ onboarding, partner, signer, link, browser }, request, reply) => {
    const token = ensureBrowserToken(context, reply, link, browser)
    const view = buildView(context, request, { link, onboarding, partner, token })
    if (signer === null && !isOpen(onboarding)) {
      return sendOutcome({ view, link, reply })
    }
    const path = `${flowPath(context, { ...link, signerId: null })}/${linkTokenOf(request.params.token)}`
    return sendPage(reply, (signer === null ? startPage : ownStartPage)({ ...view, path }))
  })
}

/** Starts a session; the company's link also opens the onboarding. */
export function startFlow(context: Context) {
  return withLinkTarget(context, async ({ onboarding, signer, link, browser }, request, reply) => {
    if (browser.token === undefined || !hasValidFormToken(parseFormFields(request.body).text, browser.token)) {
      return sendPage(reply, expiredFormPage(textsIn(languageOf(request))))
    }
    if (signer === null && isOpen(onboarding)) {
      const { outcome } = await openOnboarding(context, onboarding)
      if (outcome === 'registry-unavailable') {
        const texts = textsIn(languageOf(request, languageOfCountry(onboarding.countryCode)))
        return sendPage(reply, unavailablePage(texts, linkTokenOf(request.params.token)))
      }
    }
    if (browser.session === undefined) {
      await beginSession(context, reply, link, browser.token)
    }
    return sendRedirect(reply, `${flowPath(context, link)}/continue`)
  })
}

type AtLink = (
  target: LinkTarget & { readonly link: LinkKey; readonly browser: Awaited<ReturnType<typeof findBrowser>> },
  request: LinkRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** Finds the onboarding of the link first; an unknown link, or one of a signer whose session expired, gets a friendly page. */
function withLinkTarget(context: Context, answer: AtLink) {
  return async (request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const invalid = () => sendPage(reply, invalidLinkPage(textsIn(languageOf(request))))
    const target = await findOnboardingByLink(context, request.params)
    if (target === undefined) {
      return invalid()
    }
    const { onboarding, signer } = target
    const link = { partnerId: onboarding.partnerId, id: onboarding.id, signerId: signer?.id ?? null }
    const browser = await findBrowser(context, request, link)
    return signer !== null && isSessionExpired(onboarding, browser.session)
      ? invalid()
      : await answer({ ...target, link, browser }, request, reply)
  }
}

/** The last path segment of the callback URL. */
const BACK = 'identified'

export async function identify({ context, link, session, view, reply }: Flow): Promise<FastifyReply> {
  const { partnerId, id, signerId } = link
  const place = `${context.config.onboardingUrl}/onboarding/${partnerId}/${id}`
  const back = `${place}${signerId === null ? '' : `/signers/${signerId}`}/${BACK}`
  const begun = await beginIdentification(context, session, { back })
  return begun.outcome === 'begun'
    ? sendRedirect(reply, begun.url)
    : sendPage(reply, unavailablePage(view.texts, `${view.path}/continue`))
}

/** Handles the callback; an unexpected person is reported on the next page. */
export async function identified(flow: Flow): Promise<FastifyReply> {
  const { context, request, reply } = flow
  const brought = Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)] as const)
  const ended = await finishIdentification(context, flow.session, Object.fromEntries(brought))
  switch (ended.outcome) {
    case 'unavailable':
      // Relative, because a proxy may have removed a prefix of the path.
      return sendPage(reply, unavailablePage(flow.view.texts, request.url.replace(/^[^?]*/, '')))
    case 'other-person':
      return redirectToPage(flow, 'continue?status=other-person')
    case 'identified':
      setBrowserToken(context, reply, flow.link, ended.token)
      return redirectToPage(flow)
    case 'declined':
    case 'foreign':
    case 'not-proven':
      return redirectToPage(flow)
  }
}
