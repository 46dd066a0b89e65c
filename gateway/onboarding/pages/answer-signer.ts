/** Answers a signer who came by a link of their own: identify, see what is signed, sign or refuse. */
import type { FastifyReply } from 'fastify'
import { sendPage, sendRedirect } from '../../platform/http/pages/page.ts'
import { completeSections, hasTodaysTerms } from '../answers/onboarding-answers.ts'
import { readAnswers } from '../answers/onboarding-answers-store.ts'
import { maySign } from '../onboarding.ts'
import { signatureRefusal } from '../signature-refusal.ts'
import { beginSignature } from '../signatures/begin-signature.ts'
import type { Signer } from '../signatures/onboarding-signer.ts'
import { findSigner } from '../signatures/onboarding-signer-store.ts'
import { takeSignature } from '../signatures/record-signature.ts'
import { sendOutcome } from './actions/send-outcome.ts'
import { signingEnd } from './actions/signature-actions.ts'
import { type Answer, type Asked, type Flow, type FlowContext, sendOn } from './flow.ts'
import { isOver } from './flow-session.ts'
import { identifyPage, ownEndPage, ownSummaryPage, refusePage } from './views/signer-pages.ts'
import { foreignPage, unavailablePage, unknownPage } from './views/status-pages.ts'

/** The page that fits where the signer stands; how that is, nobody is told who has not identified. */
export function showOwn(context: FlowContext): Answer {
  return forOwn(context, async (flow, signer, request, reply) => {
    const { onboarding, session, view } = flow
    const { status } = signingEnd(request)
    if (session.trustedAt === null) {
      return sendPage(reply, identifyPage(view, status === 'other-person'))
    }
    if (signer.status === 'Signed') {
      return sendPage(reply, ownEndPage(view, 'signed'))
    }
    if (!maySign(onboarding)) {
      return sendOutcome(flow, reply)
    }
    if (signer.status === 'Refused') {
      return sendPage(reply, ownEndPage(view, 'refused'))
    }
    const hasFailed = status !== undefined && status !== 'success'
    const answers = await readAnswers(context, onboarding)
    const sections = completeSections(answers)
    if (sections === undefined || !hasTodaysTerms(answers)) {
      // The company's people accept the terms anew, and ask for signatures again.
      return sendPage(reply, unknownPage(view.texts))
    }
    const isOther = hasFailed && (await signatureRefusal(context, signer)) === 'other-person'
    return sendPage(reply, ownSummaryPage(view, sections, isOther ? 'other-person' : hasFailed ? 'failed' : null))
  })
}

/** Sends the signer, who has identified, on to the signing. */
export function signOwn(context: FlowContext): Answer {
  return forIdentified(context, async (flow, signer, _request, reply) => {
    const { partnerId, id } = flow.onboarding
    const callbackUrl = `${context.config.onboardingUrl}/onboarding/${partnerId}/${id}/signers/${signer.id}/continue`
    const begun = await beginSignature(context, signer, { callbackUrl })
    switch (begun.outcome) {
      case 'begun':
        return sendRedirect(reply, begun.url)
      case 'closed':
        return sendOn(reply, flow)
      case 'no-provider':
        return sendPage(reply, unavailablePage(flow.view.texts, `${flow.view.path}/continue`))
    }
  })
}

export function showRefuse(context: FlowContext): Answer {
  return forIdentified(context, async (flow, { status }, _request, reply) =>
    status === 'Waiting' && maySign(flow.onboarding) ? sendPage(reply, refusePage(flow.view)) : sendOn(reply, flow),
  )
}

/** Takes the no of the one who was asked; whoever began sees it, and may ask again. */
export function refuseOwn(context: FlowContext): Answer {
  return forIdentified(context, async (flow, signer, _request, reply) => {
    await takeSignature(context, signer, { did: 'refuse' })
    return sendOn(reply, flow)
  })
}

type OfOwn = (flow: Flow, signer: Signer, request: Asked, reply: FastifyReply) => Promise<FastifyReply>

function forOwn(context: FlowContext, answer: OfOwn): Answer {
  return async (flow, request, reply) => {
    const { partnerId, signerId } = flow.came
    const signer = signerId === null ? undefined : await findSigner(context, { partnerId, id: signerId })
    if (signer === undefined || signer.status === 'Revoked') {
      return sendPage(reply, foreignPage(flow.view.texts))
    }
    return isOver(flow.onboarding, flow.session)
      ? sendPage(reply, unknownPage(flow.view.texts))
      : await answer(flow, signer, request, reply)
  }
}

/** Nothing is signed, and nothing refused, by whoever merely holds the link. */
function forIdentified(context: FlowContext, answer: OfOwn): Answer {
  return forOwn(context, async (flow, signer, request, reply) =>
    flow.session.trustedAt === null ? sendOn(reply, flow) : await answer(flow, signer, request, reply),
  )
}
