/** Finds the onboarding of a link, and revokes a leaked one: the partner's link opens the whole flow, a signer's link only the signer's part. */
import { timingSafeEqual } from 'node:crypto'
import { requirePartner } from '../auth/list-partners.ts'
import type { Context } from '../context.ts'
import type { Partner } from '../partners/partner.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { linkTokenOf } from '../platform/http/pages/opened-link.ts'
import { hashToken, isId, newToken } from '../platform/ids.ts'
import { expireIfOverdue } from './expire-onboarding.ts'
import { recordOnboardingAction } from './record-onboarding.ts'
import { revokeSignerLink } from './signatures/create-signer-link.ts'
import { type Onboarding, OnboardingActionRejected, type OnboardingKey } from './store/onboarding.ts'
import { endSessions } from './store/onboarding-session-store.ts'
import { hasLink, type Signer } from './store/onboarding-signer.ts'
import { isSignerOf, listSigners } from './store/onboarding-signer-store.ts'
import { findOnboarding, updateOnboarding } from './store/onboarding-store.ts'

/** An onboarding with its partner, and the signer whose link was used; null for the partner's link. */
export type LinkTarget = { readonly onboarding: Onboarding; readonly partner: Partner; readonly signer: Signer | null }

/** Undefined when the link is unknown or revoked, or its partner was disabled. */
export async function findOnboardingByLink(
  context: Context,
  { partnerId, id, token }: { readonly partnerId: string; readonly id: string; readonly token: string },
): Promise<LinkTarget | undefined> {
  if (!isId(partnerId) || !isId(id)) {
    return undefined
  }
  const onboarding = await findOnboarding(context.database, { partnerId, id })
  const partner = onboarding && (await requirePartner(context, partnerId))
  if (onboarding === undefined || partner === undefined || partner.disabledAt !== null) {
    return undefined
  }
  const hash = hashToken(linkTokenOf(token))
  if (isSame(onboarding.linkHash, hash)) {
    return { onboarding: await expireIfOverdue(context, onboarding), partner, signer: null }
  }
  const signers = await listSigners(context, onboarding)
  const signer = signers.find((candidate) => hasLink(candidate) && isSame(candidate.linkHash ?? '', hash))
  return signer && { onboarding: await expireIfOverdue(context, onboarding), partner, signer }
}

/** Compares digests in constant time. */
function isSame(stored: string, presented: string): boolean {
  return stored.length === presented.length && timingSafeEqual(Buffer.from(stored), Buffer.from(presented))
}

/** Revokes the company's link, or that of one signer. Throws `OnboardingActionRejected` when there is no link to revoke. */
export async function revokeOnboardingLink(
  context: Context,
  actor: string,
  key: OnboardingKey,
  signerId: string | null,
): Promise<void> {
  if (signerId === null) {
    await inTransaction(context, async (context) => {
      // The hash of a random token that is never returned: no link opens the onboarding.
      await updateOnboarding(context.database, key, { linkHash: hashToken(newToken()) })
      await endSessions(context.database, key, null)
      const entry = { actor, action: 'onboarding link revoked' as const, detail: { signer: null } }
      await recordOnboardingAction(context, key, entry)
    })
  } else if (
    !(await isSignerOf(context, key, signerId)) ||
    !(await revokeSignerLink(context, actor, { partnerId: key.partnerId, id: signerId }))
  ) {
    throw new OnboardingActionRejected(`The onboarding has no signer ${signerId} with a link that can be revoked`)
  }
}
