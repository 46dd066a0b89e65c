/** Queries on uploaded documents; names and contents are encrypted. */
import type { Context } from '../../context.ts'
import { columnsOf, rowOf } from '../../platform/database/columns.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { OnboardingKey } from './onboarding.ts'
import { documentPurpose, type OnboardingDocument } from './onboarding-document.ts'
import { onboardingTables } from './onboarding-tables.ts'

const DOCUMENT = columnsOf('partnerId', 'id', 'onboardingId', 'nameSealed', 'mediaType', 'bytes', 'uploadedAt')

export async function insertDocument(
  { database, seal }: Context,
  { name, ...document }: OnboardingDocument,
  content: Buffer,
): Promise<void> {
  const nameSealed = seal.seal(name, documentPurpose('name', document))
  const contentSealed = seal.seal(content.toString('base64'), documentPurpose('content', document))
  const row = { ...document, nameSealed, contentSealed }
  await onboardingTables(database).insertInto('onboarding_documents').values(rowOf(row)).execute()
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
    .select(columnsOf('contentSealed'))
    .where(hasKey(key))
    .executeTakeFirst()
  return row && Buffer.from(seal.open(row.contentSealed, documentPurpose('content', key)), 'base64')
}
