/** Handles the requests that all pages share: continue, continue later, cancel and result. */
import type { Context } from '../../../context.ts'
import { countryRules, rulesByCountry } from '../../../countries/served-countries.ts'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import { cancelOnboarding } from '../../cancel-onboarding.ts'
import { isOpen } from '../../store/onboarding.ts'
import { type FlowHandler, mayReadAnswers, nextPage, partnerReturnUrl, redirectToPage, sendOutcome } from '../flow.ts'
import { cancelPage, otherBrowserPage, savedPage } from '../views/status-pages.ts'

export function continueFlow(context: Context): FlowHandler {
  return async (flow, _request, reply) => redirectToPage(reply, flow, await nextPage(context, flow))
}

/** Shows the result; redirects to the next page while something is to be done. */
export function showResult(context: Context): FlowHandler {
  return async (flow, _request, reply) => {
    const page = await nextPage(context, flow)
    return page === 'result' ? sendOutcome(flow, reply) : redirectToPage(reply, flow, page)
  }
}

/** Shows that the onboarding was started in another browser. */
export function showOtherBrowser(context: Context): FlowHandler {
  return async (flow, _request, reply) => {
    if (await mayReadAnswers(context, flow)) {
      return redirectToPage(reply, flow)
    }
    const { countryCode, tasksDone } = flow.onboarding
    const mayIdentify = context.identity.of(countryCode) !== null
    return sendPage(reply, otherBrowserPage(flow.view, { done: tasksDone.length, total: 6, mayIdentify }))
  }
}

/** Answers are saved with each section: the page only confirms that. */
export function showSaved(): FlowHandler {
  return async (flow, _request, reply) => {
    const { countryCode, expiresAt } = flow.onboarding
    return expiresAt === null
      ? redirectToPage(reply, flow)
      : sendPage(reply, savedPage(flow.view, formatDateTime(flow.view.texts.language, countryCode, expiresAt)))
  }
}

export function showCancel(): FlowHandler {
  return async (flow, _request, reply) =>
    isOpen(flow.onboarding) ? sendPage(reply, cancelPage(flow.view)) : redirectToPage(reply, flow)
}

/** Cancels the onboarding and redirects to the partner. */
export function stop(context: Context): FlowHandler {
  return async (flow, _request, reply) => {
    const { onboarding } = flow
    const ended = isOpen(onboarding) ? await cancelOnboarding(context, 'company', onboarding) : onboarding
    const back = partnerReturnUrl(ended)
    return back === null ? redirectToPage(reply, flow, 'result') : sendRedirect(reply, back)
  }
}

/** E.g. `22 November 2026 at 14:05`; Norwegian time for unsupported countries. */
function formatDateTime(language: PageLanguage, countryCode: string, at: Temporal.Instant): string {
  const timeZone = countryRules(countryCode)?.timeZone ?? rulesByCountry.NO.timeZone
  const locale = language === 'en' ? 'en-GB' : language
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  return format.format(at.epochMilliseconds)
}
