/** Handles the pages of a signer with a personal link: identify, read the document, sign or decline. */

import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { sendPage } from '../../../platform/http/pages/page.ts'
import { getSignatureRejection } from '../../signatures/begin-signature.ts'
import { recordSignature } from '../../signatures/record-signature.ts'
import { maySign } from '../../store/onboarding.ts'
import { completeSections, hasCurrentTerms } from '../../store/onboarding-answers.ts'
import { readAnswers } from '../../store/onboarding-answers-store.ts'
import type { Signer } from '../../store/onboarding-signer.ts'
import { findSigner } from '../../store/onboarding-signer-store.ts'
import { type Flow, type FlowHandler, type FlowRequest, redirectToPage, sendOutcome } from '../flow.ts'
import { isSessionExpired } from '../flow-session.ts'
import { declinePage, identifyPage, signerResultPage, signerSummaryPage } from '../views/signer-pages.ts'
import { expiredFormPage, invalidLinkPage } from '../views/status-pages.ts'
import { scaResult, sendToSignature } from './signature-actions.ts'

/** Shows the signer's next page; details are shown only after identification. */
export function showSignerPage(context: Context): FlowHandler {
  return withSigner(context, async (flow, signer, request, reply) => {
    const { onboarding, session, view } = flow
    const { status } = scaResult(request)
    if (session.trustedAt === null) {
      return sendPage(reply, identifyPage(view, status === 'other-person'))
    }
    if (signer.status === 'Signed') {
      return sendPage(reply, signerResultPage(view, 'signed'))
    }
    if (!maySign(onboarding)) {
      return sendOutcome(flow, reply)
    }
    if (signer.status === 'Declined') {
      return sendPage(reply, signerResultPage(view, 'rejected'))
    }
    const hasFailed = status !== undefined && status !== 'success'
    const answers = await readAnswers(context, onboarding)
    const sections = completeSections(answers)
    if (sections === undefined || !hasCurrentTerms(answers)) {
      // The company must first accept the current terms and ask for signatures again.
      return sendPage(reply, invalidLinkPage(view.texts))
    }
    const isOther = hasFailed && (await getSignatureRejection(context, signer)) === 'other-person'
    return sendPage(reply, signerSummaryPage(view, sections, isOther ? 'other-person' : hasFailed ? 'failed' : null))
  })
}

/** Redirects the identified signer to the signature. */
export function signAsSigner(context: Context): FlowHandler {
  return withIdentifiedSigner(context, async (flow, signer, _request, reply) => {
    const pages = { back: `signers/${signer.id}/continue`, here: 'continue' }
    return await sendToSignature(context, flow, reply, { key: signer, ...pages })
  })
}

export function showDecline(context: Context): FlowHandler {
  return withIdentifiedSigner(context, async (flow, { status }, _request, reply) =>
    status === 'Waiting' && maySign(flow.onboarding)
      ? sendPage(reply, declinePage(flow.view))
      : redirectToPage(reply, flow),
  )
}

/** Records that the signer declines; the company's users see it and may ask again. */
export function declineAsSigner(context: Context): FlowHandler {
  return withIdentifiedSigner(context, async (flow, signer, _request, reply) => {
    await recordSignature(context, signer, { did: 'refuse' })
    return redirectToPage(reply, flow)
  })
}

type SignerPageAction = (flow: Flow, signer: Signer, request: FlowRequest, reply: FastifyReply) => Promise<FastifyReply>

function withSigner(context: Context, answer: SignerPageAction): FlowHandler {
  return async (flow, request, reply) => {
    const { partnerId, signerId } = flow.link
    const signer = signerId === null ? undefined : await findSigner(context, { partnerId, id: signerId })
    if (signer === undefined || signer.status === 'Revoked') {
      return sendPage(reply, expiredFormPage(flow.view.texts))
    }
    return isSessionExpired(flow.onboarding, flow.session)
      ? sendPage(reply, invalidLinkPage(flow.view.texts))
      : await answer(flow, signer, request, reply)
  }
}

/** Signing and declining require identification: holding the link is not enough. */
function withIdentifiedSigner(context: Context, answer: SignerPageAction): FlowHandler {
  return withSigner(context, async (flow, signer, request, reply) =>
    flow.session.trustedAt === null ? redirectToPage(reply, flow) : await answer(flow, signer, request, reply),
  )
}
