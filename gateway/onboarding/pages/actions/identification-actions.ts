/** Answers browsers that identify before they see what was written: the way to the identity provider, and back. */
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import { beginIdentification, finishIdentification } from '../../sessions/session-identification.ts'
import { type Answer, type FlowContext, sendOn } from '../flow.ts'
import { giveToken } from '../flow-session.ts'
import { unavailablePage } from '../views/status-pages.ts'

/** The page that a browser comes back to, by the last part of its address. */
const BACK = 'identified'

export function identify(context: FlowContext): Answer {
  return async (flow, _request, reply) => {
    const { partnerId, id, signerId } = flow.came
    const place = `${context.config.onboardingUrl}/onboarding/${partnerId}/${id}`
    const back = `${place}${signerId === null ? '' : `/signers/${signerId}`}/${BACK}`
    const begun = await beginIdentification(context, flow.session, { back })
    return begun.outcome === 'begun'
      ? sendRedirect(reply, begun.url)
      : sendPage(reply, unavailablePage(flow.view.texts, `${flow.view.path}/continue`))
  }
}

/** Takes what the browser brought; what is not who was asked for is told on the page that follows. */
export function identified(context: FlowContext): Answer {
  return async (flow, { query, url }, reply) => {
    const brought = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)] as const)
    const ended = await finishIdentification(context, flow.session, Object.fromEntries(brought))
    switch (ended.outcome) {
      case 'unavailable':
        return sendPage(reply, unavailablePage(flow.view.texts, url))
      case 'other-person':
        return sendOn(reply, flow, 'continue?status=other-person')
      case 'identified':
        giveToken(context, reply, flow.came, ended.token)
        return sendOn(reply, flow)
      case 'declined':
      case 'foreign':
      case 'not-proven':
        return sendOn(reply, flow)
    }
  }
}
