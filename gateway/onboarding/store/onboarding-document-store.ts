/** Queries on uploaded documents; names and contents are encrypted. */
import type { Context } from '../../context.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { OnboardingKey } from './onboarding.ts'
import { documentPurpose, type OnboardingDocument } from './onboarding-document.ts'
import { onboardingTables } from './onboarding-tables.ts'

const DOCUMENT = [
  'partner_id as partnerId',
  'id',
  'onboarding_id as onboardingId',
  'name_sealed as nameSealed',
  'media_type as mediaType',
  'bytes',
  'uploaded_at as uploadedAt',
] as const

export async function insertDocument(
  { database, seal }: Context,
  document: OnboardingDocument,
  content: Buffer,
): Promise<void> {
  await onboardingTables(database)
    .insertInto('onboarding_documents')
    .values({
      partner_id: document.partnerId,
      id: document.id,
      onboarding_id: document.onboardingId,
      name_sealed: seal.seal(document.name, documentPurpose('name', document)),
      media_type: document.mediaType,
      bytes: document.bytes,
      content_sealed: seal.seal(content.toString('base64'), documentPurpose('content', document)),
      uploaded_at: document.uploadedAt.toString(),
    })
    .execute()
}

/** The documents of an onboarding, oldest first, without their contents. */
export async function listDocuments(
  { database, seal }: Context,
  { partnerId, id }: OnboardingKey,
): Promise<readonly OnboardingDocument[]> {
  const rows = await onboardingTables(database)
    .selectFrom('onboarding_documents')
    .select(DOCUMENT)
    .where('partner_id', '=', partnerId)
    .where('onboarding_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ nameSealed, ...row }) => ({ ...row, name: seal.open(nameSealed, documentPurpose('name', row)) }))
}

/** The content of a document; undefined when there is none. */
export async function readDocument(
  { database, seal }: Context,
  key: Pick<OnboardingDocument, 'partnerId' | 'id'>,
): Promise<Buffer | undefined> {
  const row = await onboardingTables(database)
    .selectFrom('onboarding_documents')
    .select('content_sealed')
    .where(hasKey(key))
    .executeTakeFirst()
  return row && Buffer.from(seal.open(row.content_sealed, documentPurpose('content', key)), 'base64')
}
