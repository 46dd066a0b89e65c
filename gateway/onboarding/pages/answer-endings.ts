/** Answers what every page leads to: going on, coming back later, ending it, and how it ended. */
import { sendPage, sendRedirect } from '../../platform/http/pages/page.ts'
import { cancelOnboarding } from '../cancel-onboarding.ts'
import { isOpen } from '../onboarding.ts'
import { backToPartner, sendOutcome } from './actions/send-outcome.ts'
import { type Answer, type FlowContext, mayRead, placeOf, sendOn } from './flow.ts'
import { momentText } from './views/format-date-time.ts'
import { elsewherePage, leftPage, stopPage } from './views/status-pages.ts'

/** Sends the browser to the page on which something is to be done. */
export function goOn(context: FlowContext): Answer {
  return async (flow, _request, reply) => sendOn(reply, flow, await placeOf(context, flow))
}

/** How it ended, or that we look at it; whoever still has something to do is sent there. */
export function showResult(context: FlowContext): Answer {
  return async (flow, _request, reply) => {
    const place = await placeOf(context, flow)
    return place === 'result' ? sendOutcome(flow, reply) : sendOn(reply, flow, place)
  }
}

/** Begun in another browser. */
export function showElsewhere(context: FlowContext): Answer {
  return async (flow, _request, reply) => {
    if (await mayRead(context, flow)) {
      return sendOn(reply, flow)
    }
    const { countryCode, tasksDone } = flow.onboarding
    const mayIdentify = context.identity.of(countryCode) !== null
    return sendPage(reply, elsewherePage(flow.view, { done: tasksDone.length, total: 6, mayIdentify }))
  }
}

/** Everything is saved already: the page only says so. */
export function showLeft(): Answer {
  return async (flow, _request, reply) => {
    const { countryCode, expiresAt } = flow.onboarding
    return expiresAt === null
      ? sendOn(reply, flow)
      : sendPage(reply, leftPage(flow.view, momentText(flow.view.texts.language, countryCode, expiresAt)))
  }
}

export function showStop(): Answer {
  return async (flow, _request, reply) =>
    isOpen(flow.onboarding) ? sendPage(reply, stopPage(flow.view)) : sendOn(reply, flow)
}

/** Ends it; the partner's program has its user back at once. */
export function stop(context: FlowContext): Answer {
  return async (flow, _request, reply) => {
    const { onboarding } = flow
    const ended = isOpen(onboarding) ? await cancelOnboarding(context, 'company', onboarding) : onboarding
    const back = backToPartner(ended)
    return back === null ? sendOn(reply, flow, 'result') : sendRedirect(reply, back)
  }
}
