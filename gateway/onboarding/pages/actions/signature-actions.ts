/** Handles the signatures page: sign, create and revoke signer links, ask again, and reopen the answers. */

import type { FastifyReply } from 'fastify'
import { textsIn } from '../../../page-texts/page-texts.ts'
import { parseFormFields } from '../../../platform/http/pages/form.ts'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import { LANGUAGE_PARAMETER, languageCookieHeader, pageLanguage } from '../../../platform/http/pages/page-language.ts'
import { reopenAnswers } from '../../answers/submit-onboarding.ts'
import { findOnboardingByLink } from '../../onboarding-link.ts'
import { beginSignature } from '../../signatures/begin-signature.ts'
import { createSignerLink, revokeSignerLink } from '../../signatures/create-signer-link.ts'
import { buildOnboardingLink, isFullySigned, maySign } from '../../store/onboarding.ts'
import { hasCurrentTerms } from '../../store/onboarding-answers.ts'
import { readAnswers } from '../../store/onboarding-answers-store.ts'
import { findLatestRejection } from '../../store/onboarding-signature-store.ts'
import type { SignerKey } from '../../store/onboarding-signer.ts'
import { isSignerOf, listSigners } from '../../store/onboarding-signer-store.ts'
import {
  type Flow,
  type FlowHandler,
  type FlowRequest,
  partnerReturnUrl,
  redirectToPage,
  whenReadable,
} from '../flow.ts'
import { type SignaturesNote, signaturesPage } from '../views/signatures-page.ts'
import { unavailablePage } from '../views/status-pages.ts'

/** Shows who has signed. After the last signature the browser is redirected to the partner. */
export async function showSignatures(flow: Flow): Promise<FastifyReply> {
  const { onboarding, request, reply } = flow
  const { status, signer } = scaResult(request)
  const back = partnerReturnUrl(onboarding)
  return status === 'success' && onboarding.status === 'Accepted' && back !== null
    ? sendRedirect(reply, back)
    : await forSigning(async () => {
        const isWrong = status !== undefined && status !== 'success'
        return await sendSignatures(flow, isWrong ? await noteOf(flow, signer) : null)
      })(flow)
}

/** Redirects to the signature of a signer in this browser. */
export const startSignature = forSigner(async (flow, key) => {
  const pages = { back: `signatures?signer=${key.id}`, here: 'signatures' }
  return await sendToSignature(flow, { key, ...pages })
})

/** Redirects to a signature; `back` is the page after it, and `here` the one from which it may be tried again. */
export async function sendToSignature(
  flow: Flow,
  { key, back, here }: { readonly key: SignerKey; readonly back: string; readonly here: string },
): Promise<FastifyReply> {
  const { context, onboarding, view, reply } = flow
  const place = `${context.config.onboardingUrl}/onboarding/${onboarding.partnerId}/${onboarding.id}`
  const begun = await beginSignature(context, key, { callbackUrl: `${place}/${back}` })
  switch (begun.outcome) {
    case 'begun':
      return sendRedirect(reply, begun.url)
    case 'closed':
      return redirectToPage(flow)
    case 'no-provider':
      return sendPage(reply, unavailablePage(view.texts, `${view.path}/${here}`))
  }
}

/** Creates a signer link, which is shown only in this response; a signer who declined is asked again. */
export const createLink = forSigner(async (flow, key) => {
  const address = await createSignerLink(flow.context, key)
  return address === undefined
    ? redirectToPage(flow)
    : await sendSignatures(flow, { kind: 'link', signerId: key.id, address })
})

/** Shows a new link again, in the language that was chosen on its page; the browser has sent the link. */
export const showLinkInLanguage = forSigner(async (flow, { id: signerId }) => {
  const { context, request, reply } = flow
  const { text } = parseFormFields(request.body)
  const language = pageLanguage(text(LANGUAGE_PARAMETER))
  const link = { ...flow.link, token: text('address').split('/').at(-1) ?? '' }
  const target = await findOnboardingByLink(context, link)
  if (language === undefined || target?.signer?.id !== signerId) {
    return redirectToPage(flow)
  }
  const { onboardingUrl } = context.config
  reply.header('set-cookie', languageCookieHeader(language, onboardingUrl.startsWith('https:')))
  const address = buildOnboardingLink(onboardingUrl, link, link.token)
  const view = { ...flow.view, texts: textsIn(language) }
  return await sendSignatures({ ...flow, view }, { kind: 'link', signerId, address })
})

export const revokeLinkOfSigner = forSigner(async (flow, key) => {
  await revokeSignerLink(flow.context, 'company', key)
  return await sendSignatures(flow, { kind: 'revoked' })
})

/** Revokes the signatures, so that the answers can be changed. */
export const reopenForChanges = forSigning(async (flow) => {
  await reopenAnswers(flow.context, 'company', flow.onboarding)
  return redirectToPage(flow, 'summary')
})

/** The result in the callback URL; it is not trusted and only selects the text to show. */
export function scaResult({ query }: FlowRequest): { readonly status?: string; readonly signer: string } {
  const params = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]))
  const status = params.get('status')
  return { ...(status === null ? {} : { status }), signer: params.get('signer') ?? '' }
}

async function noteOf({ context, onboarding }: Flow, signerId: string): Promise<SignaturesNote> {
  const key = { partnerId: onboarding.partnerId, id: signerId }
  const isOwn = await isSignerOf(context, onboarding, signerId)
  const rejection = isOwn ? await findLatestRejection(context.database, key) : null
  return { kind: rejection === 'other-person' ? 'other-person' : 'failed' }
}

async function sendSignatures(
  { context, onboarding, view, reply }: Flow,
  note: SignaturesNote | null,
): Promise<FastifyReply> {
  return sendPage(reply, signaturesPage(view, await listSigners(context, onboarding), note))
}

/** Runs the handler for a signer of this onboarding. */
function forSigner(answer: (flow: Flow, signer: SignerKey) => Promise<FastifyReply>): FlowHandler {
  return forSigning(async (flow) => {
    const { context, onboarding, request } = flow
    const { signerId = '' } = request.params
    return (await isSignerOf(context, onboarding, signerId))
      ? await answer(flow, { partnerId: onboarding.partnerId, id: signerId })
      : redirectToPage(flow)
  })
}

/** Runs the handler while signatures are awaited, for sessions that may read the answers. */
function forSigning(answer: FlowHandler): FlowHandler {
  return whenReadable(maySign, async (flow) => {
    const { context, onboarding } = flow
    if (isFullySigned(onboarding) || hasCurrentTerms(await readAnswers(context, onboarding))) {
      return await answer(flow)
    }
    // Signing requires the current terms.
    await reopenAnswers(context, 'havn', onboarding)
    return redirectToPage(flow)
  })
}
