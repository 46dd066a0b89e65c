/** Answers the page on which the company hands in documents: one file after the other, and then the word that these are all. */
import type { FastifyReply } from 'fastify'
import { sendPage } from '../../platform/http/pages/page.ts'
import { isUpload } from '../../platform/http/pages/upload.ts'
import { readDocumentsAsked } from '../answers/onboarding-answers-store.ts'
import { listDocuments } from '../documents/onboarding-document-store.ts'
import { finishDocuments, handInDocument } from '../documents/upload-document.ts'
import { type Answer, type Flow, type FlowContext, isHandingIn, mayRead, sendOn } from './flow.ts'
import type { DocumentFault } from './texts/texts.ts'
import { documentsPage } from './views/documents-page.ts'

export function showDocuments(context: FlowContext): Answer {
  return whileAsked(context, async (flow, _request, reply) => await sendDocuments(context, flow, reply, null))
}

export function addDocument(context: FlowContext): Answer {
  return whileAsked(context, async (flow, { body }, reply) => {
    const file = isUpload(body) ? body.file : null
    if (file === null) {
      return await sendDocuments(context, flow, reply, 'missing')
    }
    const handedIn = await handInDocument(context, flow.onboarding, file)
    return handedIn.outcome === 'refused'
      ? await sendDocuments(context, flow, reply, handedIn.fault)
      : sendOn(reply, flow, 'documents')
  })
}

export function endDocuments(context: FlowContext): Answer {
  return whileAsked(context, async (flow, _request, reply) => {
    await finishDocuments(context, flow.onboarding)
    return sendOn(reply, flow)
  })
}

async function sendDocuments(
  context: FlowContext,
  { onboarding, view }: Flow,
  reply: FastifyReply,
  fault: DocumentFault | null,
): Promise<FastifyReply> {
  const asked = (await readDocumentsAsked(context, onboarding)) ?? ''
  return sendPage(reply, documentsPage(view, { asked, received: await listDocuments(context, onboarding), fault }))
}

/** What is asked for may tell of people: it is for browsers that see what was written. */
function whileAsked(context: FlowContext, answer: Answer): Answer {
  return async (flow, request, reply) =>
    isHandingIn(flow.onboarding) && (await mayRead(context, flow))
      ? await answer(flow, request, reply)
      : sendOn(reply, flow)
}
