/** Finds what a link leads to: the whole flow by the link that the partner was given, a signer's part by the signer's own. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { hashToken, isId } from '../platform/ids.ts'
import type { Onboarding } from './onboarding.ts'
import { findOnboarding } from './onboarding-store.ts'
import { hasLink, type Signer } from './signatures/onboarding-signer.ts'
import { listSigners } from './signatures/onboarding-signer-store.ts'

/** An onboarding, and whose link led to it; null for the one that the partner was given. */
export type LinkTarget = { readonly onboarding: Onboarding; readonly signer: Signer | null }

/** Undefined when the link leads nowhere, or was taken back. */
export async function findByLink(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  { partnerId, id, token }: { readonly partnerId: string; readonly id: string; readonly token: string },
): Promise<LinkTarget | undefined> {
  if (!isId(partnerId) || !isId(id)) {
    return undefined
  }
  const onboarding = await findOnboarding(database, { partnerId, id })
  if (onboarding === undefined) {
    return undefined
  }
  const hash = hashToken(token)
  if (isSame(onboarding.linkHash, hash)) {
    return { onboarding, signer: null }
  }
  const signers = await listSigners({ database, seal }, onboarding)
  const signer = signers.find((one) => hasLink(one) && isSame(one.linkHash ?? '', hash))
  return signer && { onboarding, signer }
}

/** Both are digests of one length. */
function isSame(kept: string, shown: string): boolean {
  return kept.length === shown.length && timingSafeEqual(Buffer.from(kept), Buffer.from(shown))
}
