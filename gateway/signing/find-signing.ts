/** Finds signings for the rooms whose things are signed. */

import { findSigningOf, listLiveSignings, listSigningsToLookAt } from '../authorisations/store/sca-session-store.ts'
import type { Context } from '../context.ts'
import type { Signing, SigningKindName } from './signing.ts'

/** The latest signing of a consent or an approval. */
export async function latestSigning(
  { database }: Context,
  subject: { readonly partnerId: string; readonly kind: SigningKindName; readonly subjectId: string },
): Promise<Signing | undefined> {
  return await findSigningOf(database, subject.partnerId, subject.kind, subject.subjectId)
}

/** The signings that have ended in which one of these things is signed, and that the bank may take a signature of yet. */
export async function endedSigningsToLookAt(
  { database }: Context,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly Signing[]> {
  return await listSigningsToLookAt(database, partnerId, targetIds)
}

/** The signings that have not ended in which one of these things is signed. */
export async function liveSignings(
  { database }: Context,
  partnerId: string,
  targetIds: readonly string[],
): Promise<readonly Signing[]> {
  return await listLiveSignings(database, partnerId, targetIds)
}
