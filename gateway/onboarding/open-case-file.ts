/** Opens what is kept of an onboarding to an operator; the audit log keeps that somebody looked at people's data. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import type { OnboardingDocument } from './documents/onboarding-document.ts'
import { readDocument } from './documents/onboarding-document-store.ts'
import { findOnboardingAnywhere } from './onboarding-list-store.ts'
import { type Dossier, readDossier } from './read-case-file.ts'

/** An operator knows the id alone. Throws when there is none. */
export async function openDossier(context: Context, actor: string, id: string): Promise<Dossier> {
  const key = await findOnboardingAnywhere(context.database, id)
  if (key === undefined) {
    throw new Error(`There is no onboarding ${id}`)
  }
  await writeAudit(context, {
    partnerId: key.partnerId,
    actor,
    action: 'onboarding looked at',
    subject: ['onboarding', id],
  })
  return await readDossier(context, key)
}

/** The content of a file that was handed in. */
export async function readHandedIn(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  document: Pick<OnboardingDocument, 'partnerId' | 'id'>,
): Promise<Buffer> {
  const content = await readDocument({ database, seal }, document)
  if (content === undefined) {
    throw new Error(`The document ${document.id} is not there any more`)
  }
  return content
}
