/** Handles the document page: shows it, uploads files one by one, and completes the upload. */

import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { sendPage } from '../../../platform/http/pages/page.ts'
import { isUpload } from '../../../platform/http/pages/upload.ts'
import { completeDocuments, uploadDocument } from '../../documents/upload-document.ts'
import { readDocumentRequest } from '../../store/onboarding-answers-store.ts'
import { listDocuments } from '../../store/onboarding-document-store.ts'
import { awaitsDocuments, type Flow, type FlowHandler, redirectToPage, whenReadable } from '../flow.ts'
import { type DocumentFault, documentsPage } from '../views/documents-page.ts'

export function showDocuments(context: Context): FlowHandler {
  return whileRequested(context, async (flow, _request, reply) => await sendDocuments(context, flow, reply, null))
}

export function addDocument(context: Context): FlowHandler {
  return whileRequested(context, async (flow, { body }, reply) => {
    const file = isUpload(body) ? body.file : null
    if (file === null) {
      return await sendDocuments(context, flow, reply, 'missing')
    }
    const upload = await uploadDocument(context, flow.onboarding, file)
    return upload.outcome === 'rejected'
      ? await sendDocuments(context, flow, reply, upload.fault)
      : redirectToPage(reply, flow, 'documents')
  })
}

export function submitDocuments(context: Context): FlowHandler {
  return whileRequested(context, async (flow, _request, reply) => {
    await completeDocuments(context, flow.onboarding)
    return redirectToPage(reply, flow)
  })
}

async function sendDocuments(
  context: Context,
  { onboarding, view }: Flow,
  reply: FastifyReply,
  fault: DocumentFault | null,
): Promise<FastifyReply> {
  const requested = (await readDocumentRequest(context, onboarding)) ?? ''
  return sendPage(reply, documentsPage(view, { requested, received: await listDocuments(context, onboarding), fault }))
}

/** The request may hold personal data: only sessions that may read the answers see it. */
function whileRequested(context: Context, answer: FlowHandler): FlowHandler {
  return whenReadable(context, awaitsDocuments, answer)
}
