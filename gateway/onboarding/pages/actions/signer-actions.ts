/** Handles the pages of a signer with a personal link: identify, read the document, sign or decline. */

import type { FastifyReply } from 'fastify'
import { sendPage } from '../../../platform/http/pages/page.ts'
import { recordSignature } from '../../signatures/record-signature.ts'
import { maySign } from '../../store/onboarding.ts'
import { completeSections, hasCurrentTerms } from '../../store/onboarding-answers.ts'
import { readAnswers } from '../../store/onboarding-answers-store.ts'
import { findLatestRejection } from '../../store/onboarding-signature-store.ts'
import type { Signer } from '../../store/onboarding-signer.ts'
import { findSigner } from '../../store/onboarding-signer-store.ts'
import { type Flow, type FlowHandler, redirectToPage, sendOutcome } from '../flow.ts'
import { isSessionExpired } from '../flow-session.ts'
import { declinePage, identifyPage, signerResultPage, signerSummaryPage } from '../views/signer-pages.ts'
import { expiredFormPage, invalidLinkPage } from '../views/status-pages.ts'
import { scaResult, sendToSignature } from './signature-actions.ts'

/** Shows the signer's next page; details are shown only after identification. */
export const showSignerPage = withSigner(async (flow, signer) => {
  const { context, request, reply, onboarding, session, view } = flow
  const { status } = scaResult(request)
  if (session.trustedAt === null) {
    return sendPage(reply, identifyPage(view, status === 'other-person'))
  }
  if (signer.status === 'Signed') {
    return sendPage(reply, signerResultPage(view, 'signed'))
  }
  if (!maySign(onboarding)) {
    return sendOutcome(flow)
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
  const isOther = hasFailed && (await findLatestRejection(context.database, signer)) === 'other-person'
  return sendPage(reply, signerSummaryPage(view, sections, isOther ? 'other-person' : hasFailed ? 'failed' : null))
})

/** Redirects the identified signer to the signature. */
export const signAsSigner = withIdentifiedSigner(async (flow, signer) => {
  const pages = { back: `signers/${signer.id}/continue`, here: 'continue' }
  return await sendToSignature(flow, { key: signer, ...pages })
})

export const showDecline = withIdentifiedSigner(async (flow, { status }) =>
  status === 'Waiting' && maySign(flow.onboarding)
    ? sendPage(flow.reply, declinePage(flow.view))
    : redirectToPage(flow),
)

/** Records that the signer declines; the company's users see it and may ask again. */
export const declineAsSigner = withIdentifiedSigner(async (flow, signer) => {
  await recordSignature(flow.context, signer, { did: 'refuse' })
  return redirectToPage(flow)
})

type SignerPageAction = (flow: Flow, signer: Signer) => Promise<FastifyReply>

function withSigner(answer: SignerPageAction): FlowHandler {
  return async (flow) => {
    const { partnerId, signerId } = flow.link
    const signer = signerId === null ? undefined : await findSigner(flow.context, { partnerId, id: signerId })
    if (signer === undefined || signer.status === 'Revoked') {
      return sendPage(flow.reply, expiredFormPage(flow.view.texts))
    }
    return isSessionExpired(flow.onboarding, flow.session)
      ? sendPage(flow.reply, invalidLinkPage(flow.view.texts))
      : await answer(flow, signer)
  }
}

/** Signing and declining require identification: holding the link is not enough. */
function withIdentifiedSigner(answer: SignerPageAction): FlowHandler {
  return withSigner(async (flow, signer) =>
    flow.session.trustedAt === null ? redirectToPage(flow) : await answer(flow, signer),
  )
}
