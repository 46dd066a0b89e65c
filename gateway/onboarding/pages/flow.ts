/** Finds the flow that a browser is on: the onboarding, the session of its link, and where it belongs as things stand. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { registeredBy } from '../../auth/callback-origin.ts'
import { requirePartner } from '../../auth/list-partners.ts'
import type { Context } from '../../context.ts'
import type { IdentityContext } from '../../identity/identity-context.ts'
import { hostsOf } from '../../identity/provider-metadata.ts'
import { tokenField } from '../../platform/http/pages/form-token.ts'
import { sendRedirect } from '../../platform/http/pages/page.ts'
import { languageOf } from '../../platform/http/pages/page-language.ts'
import { isId } from '../../platform/ids.ts'
import type { RegistryContext } from '../../registries/registry-context.ts'
import { isNothingWritten, type OnboardingAnswers, SECTIONS } from '../answers/onboarding-answers.ts'
import { readAnswers } from '../answers/onboarding-answers-store.ts'
import { sectionsDone } from '../answers/onboarding-tasks.ts'
import { mayHandIn, maySign, mayWrite, type Onboarding } from '../onboarding.ts'
import { findOnboarding } from '../onboarding-store.ts'
import type { OnboardingSession } from '../sessions/onboarding-session.ts'
import { browserOf, type Came, flowPath } from './flow-session.ts'
import { type FlowView, WRITTEN } from './flow-view.ts'
import { textsIn } from './texts/texts-in.ts'

/** What answers need of their surroundings: the registry when a link is opened, identity providers for signers. */
export type FlowContext = RegistryContext & IdentityContext

/** What stands in the addresses of pages. */
export type FlowAddress = {
  readonly partnerId: string
  readonly id: string
  readonly signerId?: string
}

export type Asked = FastifyRequest<{ Params: FlowAddress }>

/** A browser with a session, on its way. */
export type Flow = {
  readonly came: Came
  readonly onboarding: Onboarding
  readonly session: OnboardingSession
  readonly token: string
  readonly view: FlowView
}

/** What is answered once the flow is found. */
export type Answer = (flow: Flow, request: Asked, reply: FastifyReply) => Promise<FastifyReply>

/** The flow of a page; undefined where the browser has no session for it. */
export async function findFlow(context: Context, request: Asked, isSigners: boolean): Promise<Flow | undefined> {
  const { partnerId, id, signerId = '' } = request.params
  if (!isId(partnerId) || !isId(id) || (isSigners && !isId(signerId))) {
    return undefined
  }
  const came = { partnerId, id, signerId: isSigners ? signerId : null }
  const onboarding = await findOnboarding(context.database, came)
  const { session, token } = onboarding === undefined ? {} : await browserOf(context, request, came)
  return onboarding === undefined || session === undefined || token === undefined
    ? undefined
    : { came, onboarding, session, token, view: await viewOf(context, request, { came, onboarding, token }) }
}

/** What the pages of a link are written from. */
export async function viewOf(
  context: Context,
  { headers }: FastifyRequest,
  { came, onboarding, token }: Pick<Flow, 'came' | 'onboarding' | 'token'>,
): Promise<FlowView> {
  const partner = await requirePartner(context, came.partnerId)
  const { countryCode, organisationName, organisationNumber, redirectUrl } = onboarding
  return {
    onboarding,
    texts: textsIn(languageOf(headers)),
    parties: { partner: partner.name, company: organisationName ?? `${countryCode} ${organisationNumber}` },
    path: flowPath(context, came),
    tokenField: tokenField(token),
    // Signers are led to no partner's program; its address would tell them, and whoever holds their link, of it.
    formOrigins: formOriginsOf(context, came.signerId === null ? redirectUrl : null),
  }
}

/** Browsers check every redirect after a form: to our own signing, an identity provider, and the partner. */
function formOriginsOf({ config }: Pick<Context, 'config'>, redirectUrl: string | null): readonly string[] {
  const schemes = config.mode === 'sandbox' ? ['https', 'http'] : ['https']
  const hosts = config.identityProviders.flatMap(hostsOf)
  const providers = hosts.flatMap((host) => schemes.map((scheme) => `${scheme}://${host}`))
  return [config.baseUrl, ...providers, ...(redirectUrl === null ? [] : [redirectUrl])].map((url) =>
    registeredBy(new URL(url)),
  )
}

/** Whether this browser sees what was written: it wrote that, its user has identified, or nothing is written yet. */
export async function mayRead(
  context: Pick<Context, 'database' | 'seal'>,
  { onboarding, session }: Flow,
): Promise<boolean> {
  return session.trustedAt !== null || isNothingWritten(await readAnswers(context, onboarding))
}

/** Sends the browser on to where it belongs. */
export function sendOn(reply: FastifyReply, { view }: Pick<Flow, 'view'>, page = 'continue'): FastifyReply {
  return sendRedirect(reply, `${view.path}/${page}`)
}

/** The page that the company's people are to see next, by the last part of its address. */
export async function placeOf(context: Context, flow: Flow): Promise<string> {
  const { onboarding } = flow
  if (!mayWrite(onboarding) && !maySign(onboarding) && !isHandingIn(onboarding)) {
    return 'result'
  }
  if (!(await mayRead(context, flow))) {
    return 'elsewhere'
  }
  if (mayWrite(onboarding)) {
    return nextToWrite(await readAnswers(context, onboarding))
  }
  return maySign(onboarding) ? 'signatures' : 'documents'
}

/** Whether documents are asked for that have not come yet. */
export function isHandingIn(onboarding: Onboarding): boolean {
  return mayHandIn(onboarding) && !onboarding.tasksDone.includes('Documents')
}

/** The first section that is not sound, or the summary of them all. */
export function nextToWrite(answers: OnboardingAnswers): string {
  const done = sectionsDone(answers)
  const open = SECTIONS.findIndex((section) => !done.includes(section))
  return WRITTEN[open] ?? 'summary'
}
