/** Handles the requests that all pages share: continue, continue later, cancel and result. */
import type { FastifyReply } from 'fastify'
import { countryRules, rulesByCountry } from '../../../countries/served-countries.ts'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import { cancelOnboarding } from '../../cancel-onboarding.ts'
import { isOpen } from '../../store/onboarding.ts'
import { type Flow, mayReadAnswers, nextPage, partnerReturnUrl, redirectToPage, sendOutcome } from '../flow.ts'
import { cancelPage, otherBrowserPage, savedPage } from '../views/status-pages.ts'

export async function continueFlow(flow: Flow): Promise<FastifyReply> {
  return redirectToPage(flow, await nextPage(flow))
}

/** Shows the result; redirects to the next page while something is to be done. */
export async function showResult(flow: Flow): Promise<FastifyReply> {
  const page = await nextPage(flow)
  return page === 'result' ? sendOutcome(flow) : redirectToPage(flow, page)
}

/** Shows that the onboarding was started in another browser. */
export async function showOtherBrowser(flow: Flow): Promise<FastifyReply> {
  if (await mayReadAnswers(flow)) {
    return redirectToPage(flow)
  }
  const { countryCode, tasksDone } = flow.onboarding
  const mayIdentify = flow.context.identity.of(countryCode) !== null
  return sendPage(flow.reply, otherBrowserPage(flow.view, { done: tasksDone.length, total: 6, mayIdentify }))
}

/** Answers are saved with each section: the page only confirms that. */
export async function showSaved(flow: Flow): Promise<FastifyReply> {
  const { countryCode, expiresAt } = flow.onboarding
  return expiresAt === null
    ? redirectToPage(flow)
    : sendPage(flow.reply, savedPage(flow.view, formatDateTime(flow.view.texts.language, countryCode, expiresAt)))
}

export async function showCancel(flow: Flow): Promise<FastifyReply> {
  return isOpen(flow.onboarding) ? sendPage(flow.reply, cancelPage(flow.view)) : redirectToPage(flow)
}

/** Cancels the onboarding and redirects to the partner. */
export async function stop(flow: Flow): Promise<FastifyReply> {
  const { context, onboarding } = flow
  const ended = isOpen(onboarding) ? await cancelOnboarding(context, 'company', onboarding) : onboarding
  const back = partnerReturnUrl(ended)
  return back === null ? redirectToPage(flow, 'result') : sendRedirect(flow.reply, back)
}

/** E.g. `22 November 2026 at 14:05`; Norwegian time for unsupported countries. */
function formatDateTime(language: PageLanguage, countryCode: string, at: Temporal.Instant): string {
  const timeZone = countryRules(countryCode)?.timeZone ?? rulesByCountry.NO.timeZone
  const locale = language === 'en' ? 'en-GB' : language
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
  return format.format(at.epochMilliseconds)
}
