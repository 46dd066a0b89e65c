/** Opens the case file of an onboarding for an operator and records the access to personal data in the audit log. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import type { OnboardingDocument } from './documents/onboarding-document.ts'
import { readDocument } from './documents/onboarding-document-store.ts'
import { findOnboardingAcrossPartners } from './onboarding-list-store.ts'
import { type CaseFile, readCaseFile } from './read-case-file.ts'

/** The case file of the onboarding with this id. Throws when there is none. */
export async function openCaseFile(context: Context, actor: string, id: string): Promise<CaseFile> {
  const key = await findOnboardingAcrossPartners(context.database, id)
  if (key === undefined) {
    throw new Error(`There is no onboarding ${id}`)
  }
  await writeAuditEntry(context, {
    partnerId: key.partnerId,
    actor,
    action: 'onboarding looked at',
    subject: ['onboarding', id],
  })
  return await readCaseFile(context, key)
}

/** The content of an uploaded document. Throws when it has been deleted. */
export async function readUploadedDocument(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  document: Pick<OnboardingDocument, 'partnerId' | 'id'>,
): Promise<Buffer> {
  const content = await readDocument({ database, seal }, document)
  if (content === undefined) {
    throw new Error(`The document ${document.id} has been deleted`)
  }
  return content
}
