/** Downloads a document that a company uploaded; the access is recorded in the audit log. */
import type { Context } from '../../gateway/context.ts'
import { ONBOARDING_ROWS } from '../../gateway/onboarding/onboarding-rows.ts'
import { listUploadedDocuments, readUploadedDocument } from '../../gateway/onboarding/open-case-file.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'

/** Under a generated name, with the media type of its first bytes: the company chose neither. */
export async function downloadDocument(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { onboardingId, documentId } = request.params
  const onboarding = await requireVisible(context, request.viewer, ONBOARDING_ROWS, onboardingId)
  const documents = await listUploadedDocuments(context, onboarding)
  const number = documents.findIndex(({ id }) => id === documentId?.toLowerCase())
  const document = documents[number]
  if (document === undefined) {
    throw apiError('not-found', 'The onboarding has no document with this id')
  }
  const content = await readUploadedDocument(context, actorOf(request.viewer.session), document)
  const { mediaType } = document
  const name = `${onboarding.id}-${number + 1}.${mediaType.split('/').at(-1)}`
  return { kind: 'file', name, mediaType, content }
}
