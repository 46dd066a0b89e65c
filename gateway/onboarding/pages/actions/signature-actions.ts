/** Handles the signatures page: sign, create and revoke signer links, ask again, and reopen the answers. */

import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { textsIn } from '../../../page-texts/page-texts.ts'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import { LANGUAGE_PARAMETER, languageCookieHeader, pageLanguage } from '../../../platform/http/pages/page-language.ts'
import { isId } from '../../../platform/ids.ts'
import { reopenAnswers } from '../../answers/submit-onboarding.ts'
import { isFullySigned } from '../../decision/decide-onboarding.ts'
import { findOnboardingByLink } from '../../onboarding-link.ts'
import { beginSignature, getSignatureRejection } from '../../signatures/begin-signature.ts'
import { createSignerLink, revokeSignerLink } from '../../signatures/create-signer-link.ts'
import { buildOnboardingLink, maySign } from '../../store/onboarding.ts'
import { hasCurrentTerms } from '../../store/onboarding-answers.ts'
import { readAnswers } from '../../store/onboarding-answers-store.ts'
import type { SignerKey } from '../../store/onboarding-signer.ts'
import { isSignerOf, listSigners } from '../../store/onboarding-signer-store.ts'
import {
  type Flow,
  type FlowHandler,
  type FlowRequest,
  mayReadAnswers,
  partnerReturnUrl,
  redirectToPage,
} from '../flow.ts'
import { type SignaturesNote, signaturesPage } from '../views/signatures-page.ts'
import { unavailablePage } from '../views/status-pages.ts'

/** Shows who has signed. After the last signature the browser is redirected to the partner. */
export function showSignatures(context: Context): FlowHandler {
  return async (flow, request, reply) => {
    const { onboarding } = flow
    const { status, signer } = scaResult(request)
    const back = partnerReturnUrl(onboarding)
    if (status === 'success' && onboarding.status === 'Accepted' && back !== null) {
      return sendRedirect(reply, back)
    }
    const isWrong = status !== undefined && status !== 'success'
    return await forSigning(context, async () => {
      const note = isWrong ? await noteOf(context, flow, signer) : null
      return await sendSignatures(context, flow, reply, note)
    })(flow, request, reply)
  }
}

/** Redirects to the signature of a signer in this browser. */
export function startSignature(context: Context): FlowHandler {
  return forSigner(context, async (flow, signerId, reply) => {
    const { partnerId } = flow.onboarding
    const pages = { back: `signatures?signer=${signerId}`, here: 'signatures' }
    return await sendToSignature(context, flow, reply, { key: { partnerId, id: signerId }, ...pages })
  })
}

/** Redirects to a signature; `back` is the page after it, and `here` the one from which it may be tried again. */
export async function sendToSignature(
  context: Context,
  { onboarding, view }: Flow,
  reply: FastifyReply,
  { key, back, here }: { readonly key: SignerKey; readonly back: string; readonly here: string },
): Promise<FastifyReply> {
  const place = `${context.config.onboardingUrl}/onboarding/${onboarding.partnerId}/${onboarding.id}`
  const begun = await beginSignature(context, key, { callbackUrl: `${place}/${back}` })
  switch (begun.outcome) {
    case 'begun':
      return sendRedirect(reply, begun.url)
    case 'closed':
      return redirectToPage(reply, { view })
    case 'no-provider':
      return sendPage(reply, unavailablePage(view.texts, `${view.path}/${here}`))
  }
}

/** Creates a signer link, which is shown only in this response; a signer who declined is asked again. */
export function createLink(context: Context): FlowHandler {
  return forSigner(context, async (flow, signerId, reply) => {
    const address = await createSignerLink(context, { partnerId: flow.onboarding.partnerId, id: signerId })
    return address === undefined
      ? redirectToPage(reply, flow)
      : await sendSignatures(context, flow, reply, { kind: 'link', signerId, address })
  })
}

/** Shows a new link again, in the language that was chosen on its page; the browser has sent the link. */
export function showLinkInLanguage(context: Context): FlowHandler {
  return forSigner(context, async (flow, signerId, reply, request) => {
    const { text } = parseFormFields(request.body)
    const language = pageLanguage(text(LANGUAGE_PARAMETER))
    const link = { ...flow.link, token: text('address').split('/').at(-1) ?? '' }
    const target = await findOnboardingByLink(context, link)
    if (language === undefined || target?.signer?.id !== signerId) {
      return redirectToPage(reply, flow)
    }
    const { onboardingUrl } = context.config
    reply.header('set-cookie', languageCookieHeader(language, onboardingUrl.startsWith('https:')))
    const address = buildOnboardingLink(onboardingUrl, link, link.token)
    const view = { ...flow.view, texts: textsIn(language) }
    return await sendSignatures(context, { ...flow, view }, reply, { kind: 'link', signerId, address })
  })
}

export function revokeLinkOfSigner(context: Context): FlowHandler {
  return forSigner(context, async (flow, signerId, reply) => {
    await revokeSignerLink(context, 'company', { partnerId: flow.onboarding.partnerId, id: signerId })
    return await sendSignatures(context, flow, reply, { kind: 'revoked' })
  })
}

/** Revokes the signatures, so that the answers can be changed. */
export function reopenForChanges(context: Context): FlowHandler {
  return forSigning(context, async (flow, _request, reply) => {
    await reopenAnswers(context, 'company', flow.onboarding)
    return redirectToPage(reply, flow, 'summary')
  })
}

/** The result in the callback URL; it is not trusted and only selects the text to show. */
export function scaResult({ query }: FlowRequest): { readonly status?: string; readonly signer: string } {
  const params = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]))
  const status = params.get('status')
  return { ...(status === null ? {} : { status }), signer: params.get('signer') ?? '' }
}

async function noteOf(context: Context, { onboarding }: Flow, signerId: string): Promise<SignaturesNote> {
  const key = { partnerId: onboarding.partnerId, id: signerId }
  const isOwn = isId(signerId) && (await isSignerOf(context, onboarding, signerId))
  const rejection = isOwn ? await getSignatureRejection(context, key) : null
  return { kind: rejection === 'other-person' ? 'other-person' : 'failed' }
}

async function sendSignatures(
  context: Context,
  { onboarding, view }: Flow,
  reply: FastifyReply,
  note: SignaturesNote | null,
): Promise<FastifyReply> {
  return sendPage(reply, signaturesPage(view, await listSigners(context, onboarding), note))
}

type SignerAction = (flow: Flow, signerId: string, reply: FastifyReply, request: FlowRequest) => Promise<FastifyReply>

/** Runs the handler for a signer of this onboarding. */
function forSigner(context: Context, answer: SignerAction): FlowHandler {
  return forSigning(context, async (flow, request, reply) => {
    const { signerId = '' } = request.params
    return (await isSignerOf(context, flow.onboarding, signerId))
      ? await answer(flow, signerId, reply, request)
      : redirectToPage(reply, flow)
  })
}

/** Runs the handler while signatures are awaited, for sessions that may read the answers. */
function forSigning(context: Context, answer: FlowHandler): FlowHandler {
  return async (flow, request, reply) => {
    const { onboarding } = flow
    if (!maySign(onboarding) || !(await mayReadAnswers(context, flow))) {
      return redirectToPage(reply, flow)
    }
    if (isFullySigned(onboarding) || hasCurrentTerms(await readAnswers(context, onboarding))) {
      return await answer(flow, request, reply)
    }
    // Signing requires the current terms.
    await reopenAnswers(context, 'havn', onboarding)
    return redirectToPage(reply, flow)
  }
}
