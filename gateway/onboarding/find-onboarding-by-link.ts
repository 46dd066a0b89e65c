/** Finds the onboarding of a link: the partner's link opens the whole flow, a signer's link only the signer's part. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { hashToken, isId } from '../platform/ids.ts'
import type { Onboarding } from './store/onboarding.ts'
import { hasLink, type Signer } from './store/onboarding-signer.ts'
import { listSigners } from './store/onboarding-signer-store.ts'
import { findOnboarding } from './store/onboarding-store.ts'

/** An onboarding and the signer whose link was used; null for the partner's link. */
export type LinkTarget = { readonly onboarding: Onboarding; readonly signer: Signer | null }

/** Undefined when the link is unknown or revoked. */
export async function findOnboardingByLink(
  context: Context,
  { partnerId, id, token }: { readonly partnerId: string; readonly id: string; readonly token: string },
): Promise<LinkTarget | undefined> {
  if (!isId(partnerId) || !isId(id)) {
    return undefined
  }
  const onboarding = await findOnboarding(context.database, { partnerId, id })
  if (onboarding === undefined) {
    return undefined
  }
  const hash = hashToken(token)
  if (isSame(onboarding.linkHash, hash)) {
    return { onboarding, signer: null }
  }
  const signers = await listSigners(context, onboarding)
  const signer = signers.find((candidate) => hasLink(candidate) && isSame(candidate.linkHash ?? '', hash))
  return signer && { onboarding, signer }
}

/** Compares digests in constant time. */
function isSame(stored: string, presented: string): boolean {
  return stored.length === presented.length && timingSafeEqual(Buffer.from(stored), Buffer.from(presented))
}
