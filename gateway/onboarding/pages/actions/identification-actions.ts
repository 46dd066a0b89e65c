/** Handles identification before personal data is shown: the redirect to the identity provider and its callback. */
import type { Context } from '../../../context.ts'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import { beginIdentification, finishIdentification } from '../../sessions/session-identification.ts'
import { type FlowHandler, redirectToPage } from '../flow.ts'
import { setBrowserToken } from '../flow-session.ts'
import { unavailablePage } from '../views/status-pages.ts'

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
