/** Handles the document page: shows it, uploads files one by one, and completes the upload. */

import type { FastifyReply } from 'fastify'
import { sendPage } from '../../../platform/http/pages/page.ts'
import { isUpload } from '../../../platform/http/pages/upload.ts'
import { completeDocuments, listRequestedDocuments, uploadDocument } from '../../documents/upload-document.ts'
import { readDocumentRequest } from '../../store/onboarding-answers-store.ts'
import { awaitsDocuments, type Flow, redirectToPage, whenReadable } from '../flow.ts'
import { type DocumentFault, documentsPage } from '../views/documents-page.ts'

export const showDocuments = whenReadable(awaitsDocuments, async (flow) => await sendDocuments(flow, null))

export const addDocument = whenReadable(awaitsDocuments, async (flow) => {
  const { body } = flow.request
  const file = isUpload(body) ? body.file : null
  if (file === null) {
    return await sendDocuments(flow, 'missing')
  }
  const upload = await uploadDocument(flow.context, flow.onboarding, file)
  return upload.outcome === 'rejected' ? await sendDocuments(flow, upload.fault) : redirectToPage(flow, 'documents')
})

export const submitDocuments = whenReadable(awaitsDocuments, async (flow) => {
  await completeDocuments(flow.context, flow.onboarding)
  return redirectToPage(flow)
})

/** The request may hold personal data: only sessions that may read the answers see it. */
async function sendDocuments(
  { context, onboarding, view, reply }: Flow,
  fault: DocumentFault | null,
): Promise<FastifyReply> {
  const requested = (await readDocumentRequest(context, onboarding)) ?? ''
  const received = await listRequestedDocuments(context, onboarding)
  return sendPage(reply, documentsPage(view, { requested, received, fault }))
}
