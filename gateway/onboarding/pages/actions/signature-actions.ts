/** Answers the page of the signatures: signing here, links for others, asking again, and taking everything back. */
import type { FastifyReply } from 'fastify'
import { sendPage, sendRedirect } from '../../../platform/http/pages/page.ts'
import { isId } from '../../../platform/ids.ts'
import { hasTodaysTerms } from '../../answers/onboarding-answers.ts'
import { readAnswers } from '../../answers/onboarding-answers-store.ts'
import { reopenAnswers } from '../../answers/reopen-answers.ts'
import { isReady } from '../../decide-onboarding.ts'
import { maySign } from '../../onboarding.ts'
import { signatureRefusal } from '../../signature-refusal.ts'
import { beginSignature } from '../../signatures/begin-signature.ts'
import { forwardToSigner, revokeSignerLink } from '../../signatures/create-signer-link.ts'
import { listSigners } from '../../signatures/onboarding-signer-store.ts'
import { type Answer, type Asked, type Flow, type FlowContext, mayRead, sendOn } from '../flow.ts'
import { type SignaturesNote, signaturesPage } from '../views/signatures-page.ts'
import { unavailablePage } from '../views/status-pages.ts'
import { backToPartner } from './send-outcome.ts'

/** Shows who has signed. Whoever comes from the last signature is led back to the partner's program at once. */
export function showSignatures(context: FlowContext): Answer {
  return async (flow, request, reply) => {
    const { onboarding } = flow
    const { status, signer } = signingEnd(request)
    const back = backToPartner(onboarding)
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

/** Sends the browser on to the signing of a signer who sits at it. */
export function signHere(context: FlowContext): Answer {
  return forSigner(context, async (flow, signerId, reply) => {
    const { config } = context
    const { partnerId, id } = flow.onboarding
    const callbackUrl = `${config.onboardingUrl}/onboarding/${partnerId}/${id}/signatures?signer=${signerId}`
    const begun = await beginSignature(context, { partnerId, id: signerId }, { callbackUrl })
    switch (begun.outcome) {
      case 'begun':
        return sendRedirect(reply, begun.url)
      case 'closed':
        return sendOn(reply, flow)
      case 'no-provider':
        return sendPage(reply, unavailablePage(flow.view.texts, `${flow.view.path}/signatures`))
    }
  })
}

/** Makes a link, which is shown in this answer and never again; whoever refused is asked anew by it. */
export function makeLink(context: FlowContext): Answer {
  return forSigner(context, async (flow, signerId, reply) => {
    const address = await forwardToSigner(context, { partnerId: flow.onboarding.partnerId, id: signerId })
    return address === undefined
      ? sendOn(reply, flow)
      : await sendSignatures(context, flow, reply, { kind: 'link', signerId, address })
  })
}

export function revokeLink(context: FlowContext): Answer {
  return forSigner(context, async (flow, signerId, reply) => {
    await revokeSignerLink(context, 'company', { partnerId: flow.onboarding.partnerId, id: signerId })
    return await sendSignatures(context, flow, reply, { kind: 'revoked' })
  })
}

/** Takes the signatures back, so that what was written can be changed. */
export function changeAgain(context: FlowContext): Answer {
  return forSigning(context, async (flow, _request, reply) => {
    await reopenAnswers(context, 'company', flow.onboarding)
    return sendOn(reply, flow, 'summary')
  })
}

/** What a signing adds to the address that it leads back to; nothing in it is believed, only worded. */
export function signingEnd({ query }: Asked): { readonly status?: string; readonly signer: string } {
  const params = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]))
  const status = params.get('status')
  return { ...(status === null ? {} : { status }), signer: params.get('signer') ?? '' }
}

async function noteOf(context: FlowContext, { onboarding }: Flow, signerId: string): Promise<SignaturesNote> {
  const key = { partnerId: onboarding.partnerId, id: signerId }
  const isOwn = isId(signerId) && (await isSignerOf(context, onboarding, signerId))
  const refusal = isOwn ? await signatureRefusal(context, key) : null
  return { kind: refusal === 'other-person' ? 'other-person' : 'failed' }
}

async function sendSignatures(
  context: FlowContext,
  { onboarding, view }: Flow,
  reply: FastifyReply,
  note: SignaturesNote | null,
): Promise<FastifyReply> {
  return sendPage(reply, signaturesPage(view, await listSigners(context, onboarding), note))
}

type OfSigner = (flow: Flow, signerId: string, reply: FastifyReply) => Promise<FastifyReply>

/** For a signer of this very onboarding. */
function forSigner(context: FlowContext, answer: OfSigner): Answer {
  return forSigning(context, async (flow, { params }, reply) => {
    const { signerId = '' } = params
    return (await isSignerOf(context, flow.onboarding, signerId))
      ? await answer(flow, signerId, reply)
      : sendOn(reply, flow)
  })
}

async function isSignerOf(context: FlowContext, onboarding: Flow['onboarding'], signerId: string): Promise<boolean> {
  return (await listSigners(context, onboarding)).some(({ id }) => id === signerId)
}

/** While it is signed, for browsers that see who signs. */
function forSigning(context: FlowContext, answer: Answer): Answer {
  return async (flow, request, reply) => {
    const { onboarding } = flow
    if (!maySign(onboarding) || !(await mayRead(context, flow))) {
      return sendOn(reply, flow)
    }
    if (isReady(onboarding) || hasTodaysTerms(await readAnswers(context, onboarding))) {
      return await answer(flow, request, reply)
    }
    // Nobody signs terms that no page shows any more.
    await reopenAnswers(context, 'havn', onboarding)
    return sendOn(reply, flow)
  }
}
