/** Loads the onboarding and session of a page request, and determines the next page of the flow. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOrSchemeOf } from '../../auth/callback-origin.ts'
import { requirePartner } from '../../auth/list-partners.ts'
import { withStatusParameter } from '../../authorisations/callback-url.ts'
import type { Context } from '../../context.ts'
import { languageOfCountry } from '../../countries/served-countries.ts'
import { allowedHostsOf } from '../../identity/provider-discovery.ts'
import { textsIn } from '../../page-texts/page-texts.ts'
import { tokenField } from '../../platform/http/pages/form-token.ts'
import { sendPage, sendRedirect } from '../../platform/http/pages/page.ts'
import { languageOf } from '../../platform/http/pages/page-language.ts'
import { isId } from '../../platform/ids.ts'
import { recordVisit } from '../expire-onboarding.ts'
import type { LinkTarget } from '../onboarding-link.ts'
import { maySign, mayUploadDocuments, mayWrite, type Onboarding, type OnboardingStatus } from '../store/onboarding.ts'
import { hasNoAnswers, type OnboardingAnswers, SECTIONS, sectionsDone } from '../store/onboarding-answers.ts'
import { readAnswers } from '../store/onboarding-answers-store.ts'
import type { OnboardingSession } from '../store/onboarding-session.ts'
import { findOnboarding } from '../store/onboarding-store.ts'
import { findBrowser, flowPath, type LinkKey } from './flow-session.ts'
import { type FlowView, FORM_PAGES, shownNumber } from './flow-view.ts'
import { outcomePage } from './views/status-pages.ts'

/** The path parameters of pages. */
export type FlowAddress = {
  readonly partnerId: string
  readonly id: string
  readonly signerId?: string
}

export type FlowRequest = FastifyRequest<{ Params: FlowAddress }>

/** A request, its onboarding, session and view model, and the reply. */
export type Flow = {
  readonly context: Context
  readonly request: FlowRequest
  readonly reply: FastifyReply
  readonly link: LinkKey
  readonly onboarding: Onboarding
  readonly session: OnboardingSession
  readonly token: string
  readonly view: FlowView
}

export type FlowHandler = (flow: Flow) => Promise<FastifyReply>

/** The flow of a request; undefined when the browser has no session for it, or the partner was disabled. */
export async function findFlow(
  context: Context,
  request: FlowRequest,
  reply: FastifyReply,
  isSigners: boolean,
): Promise<Flow | undefined> {
  const { partnerId, id, signerId = '' } = request.params
  if (!isId(partnerId) || !isId(id) || (isSigners && !isId(signerId))) {
    return undefined
  }
  const link = { partnerId, id, signerId: isSigners ? signerId : null }
  const found = await findOnboarding(context.database, link)
  const { session, token } = found === undefined ? {} : await findBrowser(context, request, link)
  if (found === undefined || session === undefined || token === undefined) {
    return undefined
  }
  const partner = await requirePartner(context, partnerId)
  if (partner.disabledAt !== null) {
    return undefined
  }
  const onboarding = await recordVisit(context, found)
  const view = buildView(context, request, { link, onboarding, partner, token })
  return { context, request, reply, link, onboarding, session, token, view }
}

/** Builds the view model of a link's pages. */
export function buildView(
  context: Context,
  request: FastifyRequest,
  { link, onboarding, partner, token }: Pick<Flow, 'link' | 'onboarding' | 'token'> & Pick<LinkTarget, 'partner'>,
): FlowView {
  const { countryCode, organisationName, organisationNumber, redirectUrl } = onboarding
  return {
    onboarding,
    texts: textsIn(languageOf(request, languageOfCountry(countryCode))),
    parties: { partner: partner.name, company: organisationName ?? shownNumber({ countryCode, organisationNumber }) },
    path: flowPath(context, link),
    tokenField: tokenField(token),
    // Signers are not redirected to the partner: the form origins must not disclose its URL to holders of their link.
    formOrigins: formOriginsOf(context, link.signerId === null ? redirectUrl : null),
  }
}

/** Browsers check every redirect after a form against CSP: hosted signing, identity providers and the partner. */
function formOriginsOf({ config }: Context, redirectUrl: string | null): readonly string[] {
  const schemes = config.mode === 'sandbox' ? ['https', 'http'] : ['https']
  const hosts = config.identityProviders.flatMap(allowedHostsOf)
  const providers = hosts.flatMap((host) => schemes.map((scheme) => `${scheme}://${host}`))
  return [config.baseUrl, ...providers, ...(redirectUrl === null ? [] : [redirectUrl])].map((url) =>
    originOrSchemeOf(new URL(url)),
  )
}

/** Whether the session may read the answers: it typed them, its user has identified, or there are none yet. */
export async function mayReadAnswers({ context, onboarding, session }: Flow): Promise<boolean> {
  return session.trustedAt !== null || hasNoAnswers(await readAnswers(context, onboarding))
}

/** Runs the handler for sessions that may read the answers of such an onboarding; redirects others to their next page. */
export function whenReadable(isSuch: (onboarding: Onboarding) => boolean, answer: FlowHandler): FlowHandler {
  return async (flow) =>
    isSuch(flow.onboarding) && (await mayReadAnswers(flow)) ? await answer(flow) : redirectToPage(flow)
}

export function redirectToPage({ reply, view }: Flow, page = 'continue'): FastifyReply {
  return sendRedirect(reply, `${view.path}/${page}`)
}

/** The next page for the company's users, by the last path segment. */
export async function nextPage(flow: Flow): Promise<string> {
  const { context, onboarding } = flow
  if (!mayWrite(onboarding) && !maySign(onboarding) && !awaitsDocuments(onboarding)) {
    return 'result'
  }
  if (!(await mayReadAnswers(flow))) {
    return 'elsewhere'
  }
  if (mayWrite(onboarding)) {
    return nextSection(await readAnswers(context, onboarding))
  }
  return maySign(onboarding) ? 'signatures' : 'documents'
}

/** Whether requested documents have not been uploaded yet. */
export function awaitsDocuments(onboarding: Onboarding): boolean {
  return mayUploadDocuments(onboarding) && !onboarding.tasksDone.includes('Documents')
}

/** The page of the first incomplete section, or the summary. */
export function nextSection(answers: OnboardingAnswers): string {
  const done = sectionsDone(answers)
  const open = SECTIONS.findIndex((section) => !done.includes(section))
  return FORM_PAGES[open] ?? 'summary'
}

/** The `status` value in the partner's redirect; manual handling counts as done for the company's users. */
const callbackStatusByStatus: Readonly<Record<OnboardingStatus, 'success' | 'cancelled'>> = {
  Created: 'cancelled',
  AwaitingCustomerAction: 'cancelled',
  ManualHandling: 'success',
  Accepted: 'success',
  Rejected: 'cancelled',
  Cancelled: 'cancelled',
  Expired: 'cancelled',
}

/** The partner's redirect URL with the status; null without a URL. */
export function partnerReturnUrl({ redirectUrl, status }: Pick<Onboarding, 'redirectUrl' | 'status'>): string | null {
  return redirectUrl === null ? null : withStatusParameter(redirectUrl, callbackStatusByStatus[status])
}

/** Signers with personal links are not redirected: they did not come from the partner. */
export function sendOutcome({ link, view, reply }: Pick<Flow, 'link' | 'view' | 'reply'>): FastifyReply {
  return sendPage(reply, outcomePage(view, link.signerId === null ? partnerReturnUrl(view.onboarding) : null))
}
